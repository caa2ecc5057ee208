import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { indexLines } from '../../../../src/domain/lines.ts';
import { scanMarkdown } from '../../../../src/engine/text/markdown/scan.ts';
import { documentText } from '../arbitrary.ts';

const oracle = new MarkdownIt('commonmark');
oracle.core.ruler.enableOnly(['normalize', 'block']);
oracle.block.ruler.disable('reference');

/** Blank lines at the end of an unclosed fence are nobody's. */
function fenceName(text: string, start: number, end: number): string {
  const lines = text.split('\n');
  let last = end;
  while (last > start && /^[\s>]*$/.test(lines[last - 1] ?? '')) last -= 1;
  return `${start}-${last}`;
}

/** What markdown-it says, in the scanner's terms: headings in quotes left out. */
function expected(text: string) {
  const headings: string[] = [];
  const fences: string[] = [];
  let quotes = 0;
  for (const token of oracle.parse(text, {})) {
    if (token.type === 'blockquote_open') quotes += 1;
    if (token.type === 'blockquote_close') quotes -= 1;
    if (token.type === 'heading_open' && quotes === 0) headings.push(`${token.tag}:${token.map![0] + 1}`);
    if (token.type === 'fence') fences.push(fenceName(text, token.map![0] + 1, token.map![1]));
  }
  return { headings, fences };
}

function actual(text: string) {
  const scan = scanMarkdown(text, indexLines(text));
  return {
    headings: scan.headings.map(({ level, line }) => `h${level}:${line}`),
    fences: scan.fences.map(({ start, end }) => fenceName(text, start, end)),
  };
}

const token = fc.constantFrom(
  '#', '##', '# a', '###### b', '####### c', '-', '- ', '-   ', '+ x', '* * *', '---', '--', '===', '=', '> ', '>', '1. ', '2) ', '10. x', '```', '````', '~~~', '``` js', '`', 'a', 'text', '    ', '  ', ' ', '\t', '\n', '\n', '\n', '\n\n', '<div>', '</div>', '<!--', '-->', '<b>', '<pre>', '</pre>', '<?', '?>', '***', '___',
); // prettier-ignore
const soup = fc.array(token, { maxLength: 24 }).map((parts) => parts.join(''));

/**
 * Where markdown-it leaves the specification: it counts a tab behind `>>` from one column too early, and takes a quote
 * mark that is indented like code for one that continues a quote.
 */
const MISREAD = />>.*\t|^(?: {4}| {0,3}\t)\s*>/m;

describe('scanMarkdown', () => {
  it('agrees with markdown-it on headings and fences of documents', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        if (text.startsWith('---') || text.startsWith('+++')) return;
        assert.deepEqual(actual(text), expected(text));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with markdown-it on block marks in any order', () => {
    fc.assert(
      fc.property(soup, (body) => {
        fc.pre(!MISREAD.test(body));
        const text = `p\n\n${body}`;
        assert.deepEqual(actual(text), expected(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('counts a tab behind two quote marks from the column it stands in', () => {
    assert.deepEqual(actual('p\n\n>> -   \t``` js').fences, ['3-3']);
    assert.deepEqual(actual('p\n\n>> -    \t``` js').fences, []);
  });

  it('takes no quote mark that is indented like code', () => {
    assert.deepEqual(actual('p\n\n> ```\n    >--').fences, ['3-3']);
    assert.deepEqual(actual('p\n\n> x\n\t>``` js').fences, []);
  });

  it('skips front matter, HTML comments and MDX comments', () => {
    const text = '---\ntitle: x\n# no\n---\n<!--\n# no\n-->\n{/*\n# no\n*/}\n\n# yes\n';
    assert.deepEqual(actual(text).headings, ['h1:12']);
    assert.deepEqual(scanMarkdown(text, indexLines(text)).frontMatter, { start: 1, end: 4 });
  });

  it('takes a fence left open before a long text for text', () => {
    const open = (rest: number): string => `# a\n\`\`\`yaml\n# b\n${'line\n'.repeat(rest - 1)}`;
    assert.deepEqual(actual(open(200)), { headings: ['h1:1'], fences: ['2-202'] });
    assert.deepEqual(actual(open(201)), { headings: ['h1:1', 'h1:3'], fences: [] });
    const more = '```js\nopen as well\n\n~~~\nclosed\n~~~\n-   item\n\n    ```\n    # no\n    ```\n\n# c\n';
    assert.deepEqual(actual(open(300) + more), {
      headings: ['h1:1', 'h1:3', 'h1:315'],
      fences: ['306-308', '311-313'],
    });
  });

  it('reads an unclosed fence to the end and an unclosed front matter as text', () => {
    assert.deepEqual(actual('# a\n```\n# b\n').fences, ['2-3']);
    assert.deepEqual(actual('---\n# a\n').headings, ['h1:2']);
  });

  it('takes headings in list items and leaves those in quotes', () => {
    assert.deepEqual(actual('- # a\n> # b\n\n1. x\n\n   ## c\n').headings, ['h1:1', 'h2:6']);
  });

  it('reads CRLF like LF', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const plain = text.replaceAll('\r\n', '\n');
        assert.deepEqual(actual(plain.replaceAll('\n', '\r\n')), actual(plain));
      }),
      { numRuns: 100 },
    );
  });
});
