// Figures as the views show them: a table that scrolls by itself where it is wider than the page, a bar, a fact.

import { h, type Child, type Props } from '../core/dom.ts';

/** A column without a head is one of bars or of buttons. */
export function table(
  { label, heads, className, caption }: TableParts,
  rows: readonly HTMLElement[],
): HTMLElement {
  const head = (name: string): HTMLElement =>
    name ? h('th', { attrs: { scope: 'col' } }, name) : h('td', {});
  return h(
    'div',
    { class: 'scroll', attrs: { tabindex: '0', role: 'region', 'aria-label': label } },
    h(
      'table',
      { class: className },
      caption,
      h('thead', {}, h('tr', {}, ...heads.map(head))),
      h('tbody', {}, ...rows),
    ),
  );
}

/** A row by its name; cells are texts, or made already. Null stands for a column that is not there. */
export function row(name: string | HTMLElement, cells: readonly Child[], props: Props = {}): HTMLElement {
  const cell = (one: Child): Child => (one instanceof Node || one === null ? one : h('td', {}, one));
  const head = typeof name === 'string' ? h('th', { attrs: { scope: 'row' } }, name) : name;
  return h('tr', props, head, ...cells.map(cell));
}

interface TableParts {
  label: string;
  heads: readonly string[];
  className?: string;
  caption?: HTMLElement;
}

/** Filled so far, of 100; the figure itself stands beside it. */
export function bar(percent: number): HTMLElement {
  const element = h('span', { class: 'bar', attrs: { 'aria-hidden': 'true' } });
  element.style.setProperty('--part', `${percent}%`);
  return element;
}

export function fact(name: string, value: string): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}
