// Texts that a careless pattern or loop takes too long over: runs of one character, openers that never close, delimiters
// that alternate or nest, one enormous line. Each is made to a length, so that cost can be followed as it doubles.

export interface HostileText {
  name: string;
  make: (length: number) => string;
  /** Worth following to the length of one enormous line. */
  long?: boolean;
}

const repeat = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Runs of these, ended by something that fits none of them: where backtracking starts all over. */
const RUNS = [...' \t\n\r\u00a0\u200b-=_*#~`>|:;,.?!/\\\'"([{<&@%$+0aAé中\u0301', '\r\n', '🙂', '\u200d'];
/** The same in a heading. */
const HEADED = [...' \t\u00a0#`*_~[({<&"=-aé中'];

/** Openers without an end, pairs, and lines that nearly are something. */
const UNITS = [
  '()', '[]', '{}', '<>', '[(', '](', '[a](', '[a](b "', '![a]', '[![a]', '[[', '{{', '((', '<!--', '<!---->', '-->', '<a ', '</p>',
  '<div>', '<div></p>', '<b>x', '<td>a', '<p ', '<pre>', '<h1>a<b>', '&amp', '&#x', '`a', '``', '**a', '_a_', '~~a', '$a$',
  '\\"', '"a', "'a", '"a"', '" "', 'a: ', 'a:\n', '- ', '- a\n', '- - ', '> ', '> > ', '1. ', '# ', '# a\n', '#\n', '## a #',
  '| a ', '|a|\n', '|-', '|-|\n', '| |\n', '---\n', '===\n', 'a\n---\n', 'a\n\n', '```\n', '~~~\n', '``` ', '<!-- \n', '{/* ',
  '*/}', '->', '-->', '→', '=>', 'a -> ', 'A --> B\n', 'A -> B = ', 'a=b\n', 'A=', 'a, ', 'A, ', 'A and ', 'The A', 'A B ',
  'aA', 'Aa', 'AAa', 'a_', 'a.', 'a.a', 'a-', 'a/', "a'", 'a@', 'a:', '://', 'http://', 'http://a@', '://a@', 'e.g. ', 'A. ',
  '. ', '? ', '。', 'Source: ', 'title:', 'title: \n', 'title: "', 'services:\n', ' services', 'class ', 'function a() {',
  'impl<', 'pub ', 'def a(', '.. a::', '+++\n', '---', '... ', '====', '::\n', '(a) ', ' (', ' #', ' {#', '{#a} ', ' \\\n',
  'AND ', 'a AND ', 'NOT ', '(a OR ', '"a b" ', '+a -', 'title:a ', 'a* ', 'ä', 'Ä ', 'ÄÖä', '中文', 'ーa', '\ud83d', '\udc00',
  '\u202e', '\ue000', 'é', 'é_', "é'", 'is a ', 'uses the A and the B, ', 'A calls B. ', 'graph TD\n', 'A[a', 'A((', 'A:::a ',
  'participant A\n', 'A->>B: x\n', '[A] --> [B]\n', '@startuml\n', '0', '0.', '1,', 'x\u0000', '<h1>', '</h1>', '<li>',
]; // prettier-ignore

/** What stands before a text so that a reader takes it for its own. */
const OPENINGS = [
  '---\n',
  '---\na: ',
  '+++\n',
  '```mermaid\n',
  '<pre>',
  '<html><body>',
  '# ',
  '| a |\n',
  'a: ',
  '"',
  '[',
  '- ',
];

const show = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '');

export const TEXTS: HostileText[] = [
  ...RUNS.map((unit) => ({
    name: `a run of ${show(unit)}`,
    make: (length: number) => `${repeat(unit)(length)}!x`,
    long: true,
  })),
  ...HEADED.map((unit) => ({
    name: `a heading of ${show(unit)}`,
    make: (length: number) => `# a${repeat(unit)(length)}x`,
  })),
  ...[...new Set(UNITS)].map((unit) => ({ name: `${show(unit)} over and over`, make: repeat(unit) })),
  ...OPENINGS.flatMap((start) => [
    { name: `${show(start)} and spaces`, make: (length: number) => `${start}${' '.repeat(length)}x` },
    { name: `${show(start)} and blank lines`, make: (length: number) => `${start}${'\n'.repeat(length)}x` },
    { name: `${show(start)} and words`, make: (length: number) => `${start}${repeat('aa ')(length)}` },
  ]),
  { name: 'brackets nested', make: (length) => '('.repeat(length / 2) + ')'.repeat(length / 2) },
  { name: 'lists nested', make: (length) => '['.repeat(length / 2) + ']'.repeat(length / 2) },
  { name: 'elements nested', make: (length) => '<div>'.repeat(length / 10) + '</div>'.repeat(length / 10) },
  { name: 'elements open, others closed', make: (length) => '<i>'.repeat(length / 7) + '</p>'.repeat(length / 7) },
  { name: 'lines deeper and deeper', make: deeper },
  { name: 'short lines, then one long line of tags', make: (length) => '\n'.repeat(length / 2) + repeat('<b>a')(length / 2) },
  { name: 'names that all differ', make: (length) => differing(length, 'Name', ' ') },
  { name: 'headings that all differ', make: (length) => differing(length, '# Name', '\n') },
  { name: 'keys that all differ', make: (length) => `---\n${differing(length, 'k', ': 1\n')}---\n` },
  { name: 'links that all differ', make: (length) => differing(length, '- [a](https://x.example/', ')\n') },
]; // prettier-ignore

function deeper(length: number): string {
  let text = '';
  for (let depth = 0; text.length < length; depth = (depth + 1) % 200) text += `${' '.repeat(depth)}- a\n`;
  return text;
}

function differing(length: number, before: string, after: string): string {
  const parts: string[] = [];
  for (let size = 0, at = 0; size < length; at += 1) {
    const part = `${before}${at.toString(36)}${after}`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}
