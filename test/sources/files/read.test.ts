import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { VaiError, type ErrorCode } from '../../../src/domain/errors.ts';
import { readFile } from '../../../src/sources/files/read.ts';
import { docx, docxParts, paragraph, pdf, zip } from './fixtures.ts';

const read = (name: string, content: string | Uint8Array) => readFile(name, Buffer.from(content));
const refused = (name: string, content: string | Uint8Array, code: ErrorCode) =>
  assert.rejects(read(name, content), (error) => error instanceof VaiError && error.code === code, name);

describe('reading bytes as text', () => {
  it('removes a byte order mark and keeps everything else', async () => {
    assert.equal((await read('a.md', '\ufeff# A\r\nb\r\n')).text, '# A\r\nb\r\n');
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('# Ä', 'utf16le')]);
    assert.equal((await read('a.md', wide)).text, '# Ä');
    assert.equal(
      (await read('a.md', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('# Ä', 'utf16le').swap16()])))
        .text,
      '# Ä',
    );
  });

  it('replaces broken bytes and NUL, and says so', async () => {
    const broken = await read(
      'a.txt',
      Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from(' is öpen today, come in')]),
    );
    assert.equal(broken.text, 'caf\ufffd is öpen today, come in');
    assert.equal(broken.notices?.length, 1);
    const nul = await read('a.txt', `${'text '.repeat(100)}\0`);
    assert.ok(nul.text.endsWith('\ufffd'));
    assert.equal(nul.notices?.length, 1);
  });

  it('never reports a fault of our own as a damaged file', async () => {
    // Bytes that are none stand for a fault in a reader: no content can make them.
    const fault = readFile('notes.md', undefined as never);
    await assert.rejects(fault, { code: 'INTERNAL', message: /notes\.md .* inside vai/ });
  });

  it('calls a file damaged when its library gives up on it', async () => {
    await refused('a.docx', zip({ 'word/document.xml': Buffer.from('<w:document') }), 'FILE_UNREADABLE');
  });

  it('refuses binary files with a reason', async () => {
    await refused(
      'a.txt',
      Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256)),
      'UNSUPPORTED_FORMAT',
    );
    await refused('noname', '\x7fELF\0\0', 'UNSUPPORTED_FORMAT');
    await refused('a.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2]), 'UNSUPPORTED_FORMAT');
    await refused('x.zip', zip({ a: 'b' }), 'UNSUPPORTED_FORMAT');
    await refused('x.pdf', 'hello', 'UNSUPPORTED_FORMAT');
    await refused('x.docx', 'hello', 'UNSUPPORTED_FORMAT');
    await refused('x.docx', 'PK\x03\x04 broken', 'FILE_UNREADABLE');
    await refused('x.pdf', '%PDF-1.7 broken', 'FILE_UNREADABLE');
  });

  it('reads an empty file and a large file of one line', async () => {
    assert.deepEqual(await read('a.md', ''), { text: '', syntax: 'markdown' });
    const big = Buffer.alloc(50 * 1024 * 1024, 'word ');
    assert.equal((await readFile('big.txt', big)).text.length, big.length);
  });

  it('throws nothing but VaiError on any bytes under any name', async () => {
    const names = fc.constantFrom(
      'a.md',
      'a.html',
      'a.rst',
      'a.adoc',
      'a.json',
      'a.py',
      'a.ts',
      'a',
      'a.docx',
      'a.pdf',
    );
    const starts = fc.constantFrom('', '---\n', '+++\n', '<html>', 'PK\x03\x04', '%PDF-1.4\n', '= a\n');
    await fc.assert(
      fc.asyncProperty(names, starts, fc.oneof(fc.string(), fc.uint8Array()), async (name, start, rest) => {
        try {
          await read(name, Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(rest)]));
        } catch (error) {
          assert.ok(error instanceof VaiError);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('choosing a format', () => {
  const cases: [string, string, 'markdown' | 'plain' | 'code'][] = [
    ['a.mdx', 'x', 'markdown'],
    ['llms-full.txt', 'x', 'markdown'],
    ['bun-llms.txt', 'x', 'markdown'],
    ['README', 'x', 'markdown'],
    ['notes.txt', '# Title\n', 'markdown'],
    ['notes.txt', 'Title\n', 'plain'],
    ['a.json', '{}', 'plain'],
    ['a.jsonl', '# {}', 'plain'],
    ['a.csv', 'a,b', 'plain'],
    ['a.yaml', '# comment', 'plain'],
    ['a.py', '# comment', 'code'],
    ['run', '#!/usr/bin/env bash\n', 'code'],
    ['a.unknown', 'text', 'plain'],
  ];
  for (const [name, content, syntax] of cases)
    it(`reads ${name} as ${syntax}`, async () => assert.equal((await read(name, content)).syntax, syntax));
});

describe('front matter', () => {
  it('gives title and metadata, simple or not', async () => {
    const simple = await read(
      'a.md',
      '---\ntitle: Get started\nweight: 10\ndraft: true\ntags:\n- a\n- b c\n---\n# A\n',
    );
    assert.equal(simple.title, 'Get started');
    assert.deepEqual(simple.metadata, { title: 'Get started', weight: 10, draft: true, tags: ['a', 'b c'] });
    const rich = await read(
      'a.md',
      '---\ntitle: "A: b"\nnested: { a: [1, 2.5, null] }\ndate: 2026-01-02\ntext: >\n  folded\n  text\n---\n',
    );
    assert.equal(rich.title, 'A: b');
    assert.deepEqual(rich.metadata?.['nested'], { a: [1, 2.5, null] });
    assert.equal(rich.metadata?.['text'], 'folded text\n');
    const toml = await read('a.md', '+++\ntitle = "T"\n[extra]\nn = 1\n+++\n');
    assert.deepEqual(toml.metadata, { title: 'T', extra: { n: 1 } });
  });

  it('survives broken, deep and exploding YAML', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(/./g, (key) => `${key}: &${key} [${`*${String.fromCharCode(key.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`;
    for (const yaml of [
      'a: [',
      `a: ${'['.repeat(20_000)}`,
      bomb,
      ': :\n - :',
      'a: !!js/function x',
      '__proto__: { x: 1 }',
    ]) {
      const result = await read('a.md', `---\n${yaml}\n---\n# A\n`);
      assert.equal(result.syntax, 'markdown');
      assert.equal(({} as { x?: number }).x, undefined);
    }
    assert.equal((await read('a.md', '---\na: [\n---\n')).notices?.length, 1);
  });
});

describe('HTML', () => {
  it('keeps every line where it is', async () => {
    const html =
      '<html>\n<head><title>T &amp; U</title>\n<meta name="description" content="About it">\n<style>\nx{}\n</style></head>\n<body>\n<h1\n class="a">Head <b>bold</b></h1>\n<p>one\n two</p><p>three &lt;tag&gt;</p>\n<script>\nno()\n</script>\n<ul><li>a</li><li>b</li></ul>\n<pre>\n  code\n    more\n</pre>\n<!-- # hidden -->\n<h2>\nLate\n</h2></body>\n</html>\n';
    const { text, title, metadata, headings } = await read('a.html', html);
    assert.equal(title, 'T & U');
    assert.deepEqual(metadata, { description: 'About it' });
    const lines = text.split('\n');
    assert.equal(lines.length, html.split('\n').length);
    for (const word of ['Head bold', 'one', 'three <tag>', '- a - b', '  code', '    more', 'Late']) {
      const source = { 'Head bold': 'class="a"', 'three <tag>': 'three', '- a - b': '<ul>' }[word] ?? word;
      assert.equal(
        lines.findIndex((line) => line.includes(word)),
        html.split('\n').findIndex((line) => line.includes(source)),
        word,
      );
    }
    assert.doesNotMatch(text, /no\(\)|x\{\}|hidden/);
    assert.deepEqual(headings, [
      { level: 1, text: 'Head bold', line: 9 },
      { level: 2, text: 'Late', line: 22 },
    ]);
  });

  it('breaks a page that was written on one line into lines', async () => {
    const html = `<body><h1>A</h1>${'<p>some words in a paragraph</p>'.repeat(300)}<h2>B</h2><p>end</p></body>`;
    const { text, headings, notices } = await read('a.html', html);
    assert.equal(text.split('\n').length > 300, true);
    assert.deepEqual(
      headings?.map(({ line }) => text.split('\n')[line - 1]),
      ['A', 'B'],
    );
    assert.equal(notices?.length, 1);
  });

  it('has as many lines as the file, whatever the file holds', async () => {
    const bit = fc.constantFrom('<p>', '</p>', '<h1>', '</h1>', '\n', '\n', 'text', '&#10;', '&amp;', '<pre>', '</pre>', '<script>', '</script>', '<!--', '-->', '<a href="\n">', ' ', '<br>', '<li>', '\r\n', '<svg>', '</svg>', '<title>', '</title>'); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(bit, { maxLength: 40 }), async (bits) => {
        const html = bits.join('');
        const { text, headings } = await read('a.html', html);
        assert.equal(text.split('\n').length, html.split('\n').length);
        for (const { text: shown, line } of headings ?? [])
          assert.ok(
            text.split('\n')[line - 1]!.includes(shown.split(' ')[0]!),
            JSON.stringify([html, text, headings]),
          );
      }),
      { numRuns: 500 },
    );
  });

  it('reads broken markup and refuses markup without end', async () => {
    for (const part of ['<', '<a b', '&', '<!--', '</p>', '<p>\n', '<h1>a</h1>', '<li>'])
      await read('a.html', part.repeat(100_000));
    await refused('a.html', '<div>'.repeat(100_000), 'FILE_UNREADABLE');
  });
});

describe('other formats', () => {
  it('keeps source code as written, with what it defines', async () => {
    const code = '/** Adds. */\nexport async function add(a) {}\n';
    const { text, syntax, symbols } = await read('a.ts', code);
    assert.deepEqual([text, syntax], [code, 'code']);
    assert.deepEqual(
      symbols?.definitions.map(({ name, lines }) => [name, lines.start]),
      [['add', 1]],
    );
    const sql = await read('a.sql', 'create table buyers (id int);\n');
    assert.equal(sql.symbols?.definitions[0]?.name, 'buyers');
  });

  it('reads a PDF page by page', async () => {
    const { text, headings, title, pages } = await read('a.pdf', pdf(['Hello from one', 'And from two']));
    assert.equal(title, 'Made up');
    assert.deepEqual(
      headings?.map(({ text: shown }) => shown),
      ['Page 1', 'Page 2'],
    );
    const lines = text.split('\n');
    for (const { text: shown, line } of headings) assert.equal(lines[line - 1], shown);
    assert.ok(lines.indexOf('And from two') > lines.indexOf('Hello from one'));
    assert.deepEqual(
      pages,
      headings.map(({ line }) => line),
    );
  });

  it('reads a notebook: texts as written, code and what it printed in fences', async () => {
    const notebook = {
      nbformat: 4,
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', source: ['# Herons\n', '\n', 'They wait.'] },
        {
          cell_type: 'code',
          source: 'print("```")',
          outputs: [
            { output_type: 'stream', text: ['```\n'] },
            { output_type: 'display_data', data: { 'image/png': 'aaaa' } },
            { output_type: 'error', ename: 'ValueError', evalue: 'no fish' },
          ],
        },
        { cell_type: 'code', source: [], outputs: 'damaged' },
        'damaged',
      ],
    };
    const { text, syntax } = await read('a.ipynb', JSON.stringify(notebook));
    assert.equal(syntax, 'markdown');
    assert.equal(
      text,
      '# Herons\n\nThey wait.\n\n````python\nprint("```")\n````\n\n````text\n```\n\nValueError: no fish\n````\n',
    );
    await refused('a.ipynb', '{"cells": 1}', 'FILE_UNREADABLE');
    await refused('a.ipynb', '[[[', 'FILE_UNREADABLE');
  });

  it('reads an OpenAPI description: each operation and schema is a section', async () => {
    const yaml = `openapi: 3.1.0
info: { title: Birds, version: 2.1.0, description: "# Not a title of ours" }
servers: [{ url: https://api.example.com/v2 }]
paths:
  /birds/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getBird
      summary: One bird
      tags: [birds]
      responses:
        200:
          description: The bird
          content: { application/json: { schema: { $ref: '#/components/schemas/Bird' } } }
components:
  schemas:
    Bird:
      type: object
      required: [name]
      properties:
        name: { type: string, description: Its name }
        young: { type: array, items: { $ref: '#/components/schemas/Bird' } }
`;
    const { text, title, metadata } = await read('api.yaml', yaml);
    assert.equal(title, 'Birds');
    assert.deepEqual(metadata, { version: '2.1.0' });
    const headings = text.split('\n').filter((line) => /^##? /.test(line));
    assert.deepEqual(headings, ['# Birds', '## GET /birds/{id}', '## Schema Bird']);
    for (const part of [
      '- `id` (path, string, required)',
      '- operation: `getBird`',
      '- tags: birds',
      '- 200: The bird\n  - application/json: Bird',
      '- `name` (string, required): Its name',
      '- `young` (list of Bird)',
    ])
      assert.ok(text.includes(part), part);
    const swagger = {
      swagger: '2.0',
      info: { title: 'Old' },
      paths: { '/a': { post: { summary: 'Adds' } } },
    };
    assert.match((await read('api.json', JSON.stringify(swagger))).text, /^# Old\n\n## POST \/a\n\nAdds\n$/);
    const other = '{"name": "openapi-tool", "openapi": "3.0"}';
    assert.equal((await read('package.json', other)).text, other);
    const kept = '{ // by hand\n"openapi": "3.1.0", "info": {"title": "Kept"}, "paths": {}, /* so far */ }';
    assert.equal((await read('api.json', kept)).text, '# Kept\n');
    await refused('api.json', '{"openapi": "3.1.0", "paths": {', 'FILE_UNREADABLE');
    await refused('api.json', `{"openapi": "3.1.0", // deep\n"a": ${'['.repeat(200_000)}`, 'FILE_UNREADABLE');
    const bomb = [
      'openapi: 3.0.0',
      'a: &a [x,x]',
      ...'bcdefghijk'.split('').map((c, n) => `${c}: &${c} [${`*${'abcdefghij'[n]},`.repeat(9)}]`),
    ];
    await refused('api.yaml', bomb.join('\n'), 'FILE_UNREADABLE');
    const itself = Array.from({ length: 60 }, (_, n) => `        p${n}: *a`).join('\n');
    const circle = `openapi: 3.0.0\ncomponents:\n  schemas:\n    A: &a\n      properties:\n${itself}\n`;
    await refused('api.yaml', circle, 'TOO_LARGE');
  });

  it('reads a DOCX with its headings', async () => {
    const body =
      paragraph('Guide', 'Heading1') +
      paragraph('First words.') +
      paragraph('Deeper', 'Heading2') +
      paragraph('Last words.');
    const { text, headings, title } = await read('a.docx', docx(body));
    assert.equal(title, 'Guide');
    assert.deepEqual(
      headings?.map(({ level, text: shown }) => [level, shown]),
      [
        [1, 'Guide'],
        [2, 'Deeper'],
      ],
    );
    for (const { text: shown, line } of headings) assert.equal(text.split('\n')[line - 1], shown);
    assert.match(text, /First words\.[\s\S]*Last words\./);
  });

  it('refuses a DOCX that unpacks to too much, whatever it claims', async () => {
    const big = Buffer.alloc(70 * 1024 * 1024);
    const parts = { ...docxParts(paragraph('x')), 'word/footnotes.xml': big };
    await refused(
      'bomb.docx',
      zip(parts, () => 10),
      'TOO_LARGE',
    );
    const pictures = { ...docxParts(paragraph('x')), 'word/media/big.bin': big };
    assert.equal((await read('pictures.docx', zip(pictures))).text, 'x\n', 'pictures are not unpacked');
  });
});
