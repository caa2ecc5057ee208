// Lines of a document with their numbers, and the words of a query marked in them.

import { h } from '../core/dom.ts';
import { pieces, type ShownLine } from '../core/highlight.ts';

export interface LineOptions {
  words: readonly string[];
  /** Lines that were cited. */
  cited?: { start: number; end: number };
}

export function marked(text: string, words: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of pieces(text, words))
    fragment.append(piece.hit ? h('mark', {}, piece.text) : piece.text);
  return fragment;
}

export function lineRow(line: ShownLine, { words, cited }: LineOptions): HTMLElement {
  const inside = cited && line.number >= cited.start && line.number <= cited.end;
  const classes = ['line', line.hit ? 'hit' : '', inside ? 'cited' : ''].filter(Boolean).join(' ');
  return h(
    'div',
    { class: classes, data: { line: String(line.number) } },
    h('span', { class: 'number', attrs: { 'aria-hidden': 'true' } }, line.number),
    h('span', { class: 'text' }, marked(line.text || ' ', words)),
  );
}
