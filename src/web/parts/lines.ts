// Lines of a document with their numbers, and the words of a query marked in them.

import { h } from '../core/dom.ts';
import { pieces, type ShownLine } from '../core/highlight.ts';
import { tinter } from '../core/syntax.ts';

export function marked(text: string, words: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of pieces(text, words))
    fragment.append(piece.hit ? h('mark', {}, piece.text) : piece.text);
  return fragment;
}

export function lineRow(line: ShownLine, words: readonly string[]): HTMLElement {
  return h(
    'div',
    { class: line.hit ? 'line hit' : 'line', data: { line: String(line.number), end: String(line.number) } },
    h('span', { class: 'number', attrs: { 'aria-hidden': 'true' } }, line.number),
    h('span', { class: 'text' }, marked(line.text || ' ', words)),
  );
}

export interface CodeOptions {
  /** Number of the first line. */
  from: number;
  words: readonly string[];
  language: string;
  numbers?: boolean;
}

/** A block of code whose lines can be cited one by one. */
export function codeLines(
  lines: readonly string[],
  { from, words, language, numbers }: CodeOptions,
): HTMLElement {
  const tint = tinter(language.toLowerCase());
  return h(
    'pre',
    { class: numbers ? 'code numbered' : 'code', attrs: { tabindex: '0' } },
    ...lines.map((text, at) => {
      const row = h('span', {
        class: 'code-line',
        data: { line: String(from + at), end: String(from + at) },
      });
      if (numbers) row.append(h('span', { class: 'number', attrs: { 'aria-hidden': 'true' } }, from + at));
      for (const part of tint(text)) {
        const content = marked(part.text, words);
        row.append(part.tint ? h('span', { class: `tint-${part.tint}` }, content) : content);
      }
      row.append('\n');
      return row;
    }),
  );
}
