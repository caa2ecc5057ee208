// Generated texts that look like documents: headings, fences, lists, quotes, long lines, odd characters and line ends.

import fc from 'fast-check';

const word = fc.constantFrom(
  'alpha', 'useState', 'Über', 'naïve', 'the', 'a', 'I', 'snake_case', '日本語。', '中文，', '👩‍👩‍👧', '🇩🇪', 'e\u0301', '--flag', '[x](y)', '`code`', '"Quoted', '4.', '&amp;', 'end.', 'Stop!', 'Why?', '; ',
); // prettier-ignore

const words = fc.array(word, { minLength: 1, maxLength: 14 }).map((list) => list.join(' '));
const glued = fc.array(word, { minLength: 1, maxLength: 40 }).map((list) => list.join(''));
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'js', ' text'),
    fc.array(fc.oneof(words, fc.constantFrom('', '# no heading', '    deep')), { maxLength: 8 }),
  )
  .map(([mark, info, body]) => [mark + info, ...body, mark].join('\n'));

const block = fc.oneof(
  { weight: 6, arbitrary: words },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('#', '##', '###', '####'), words)
      .map(([mark, text]) => `${mark} ${text}`),
  },
  { weight: 2, arbitrary: fence },
  { weight: 1, arbitrary: fc.tuple(words, fc.constantFrom('===', '---')).map((parts) => parts.join('\n')) },
  {
    weight: 2,
    arbitrary: fc
      .array(words, { minLength: 1, maxLength: 4 })
      .map((items) => items.map((item) => `- ${item}`).join('\n')),
  },
  { weight: 1, arbitrary: words.map((text) => `> ${text}\n> # quoted`) },
  { weight: 1, arbitrary: glued },
  { weight: 1, arbitrary: words.map((text) => `    ${text}`) },
  { weight: 1, arbitrary: fc.constantFrom('<!-- # hidden', '-->', '<div>', '```', '   ', '\t', '| a | b |') },
);

/** A text of blocks joined by LF or CRLF, with or without blank lines between them. */
export const documentText = fc
  .tuple(
    fc.array(fc.tuple(block, fc.constantFrom('\n', '\n\n', '\n\n\n', '\n  \n')), { maxLength: 25 }),
    fc.boolean(),
  )
  .map(([parts, crlf]) => {
    const text = parts.map(([body, gap]) => body + gap).join('');
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  });

/** Any string, or a document. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: documentText },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom(' ', '\n', '\r', '\t', 'a', '.', 'A', '`', '#', '\ud83d\ude00', '\u0301'),
      maxLength: 300,
    }),
  },
);
