// The methods side by side, for those who tune: a column each on a wide screen, one at a time on a narrow one. Each column
// is asked by itself, so a slow one holds up nobody.

import { h, replace } from '../core/dom.ts';
import { milliseconds } from '../core/format.ts';
import type { Server } from '../core/server.ts';
import { card } from './card.ts';
import { busy, showError, warnings, withCode } from './notice.ts';
import { ABOUT, retrieve, type Asked, type Found, type Method } from './retrieve.ts';

const SHOWN = 8;

interface Column {
  method: Method;
  element: HTMLElement;
  list: HTMLElement;
  about: HTMLElement;
  tab: HTMLButtonElement;
  found?: Found;
}

export interface Comparison {
  element: HTMLElement;
  run(server: Server, asked: Asked): void;
}

export function comparison(methods: readonly Method[]): Comparison {
  const columns = methods.map(makeColumn);
  const tabs = h(
    'div',
    { class: 'tabs', attrs: { role: 'group', 'aria-label': 'Method shown' } },
    ...columns.map((column) => column.tab),
  );
  const results = h('div', { class: `columns of-${columns.length}` }, ...columns.map((one) => one.element));
  const choose = (method: Method): void => {
    for (const one of columns) {
      one.tab.setAttribute('aria-pressed', String(one.method === method));
      one.element.classList.toggle('chosen', one.method === method);
    }
  };
  for (const one of columns) one.tab.addEventListener('click', () => choose(one.method));
  if (columns[0]) choose(columns[0].method);

  function draw(column: Column, query: string): void {
    const { found } = column;
    if (!found) return;
    column.about.textContent = milliseconds(found.ms);
    const cards = found.hits.slice(0, SHOWN).map((hit) => {
      const scores = new Map(
        columns.map((other) => [other.method, other.found?.hits.find((one) => one.key === hit.key)?.score]),
      );
      return h('li', {}, card(hit, column.method, { query, scores }));
    });
    replace(
      column.list,
      cards.length ? h('ol', { class: 'cards' }, ...cards) : nothing(column.method),
      warnings(found.notes),
    );
  }

  results.addEventListener('focusin', (event) => twins(results, event.target as Element));
  results.addEventListener('mouseover', (event) => twins(results, event.target as Element));

  return {
    element: h('div', { class: 'compare' }, tabs, results),
    run(server, asked) {
      for (const one of columns) {
        delete one.found;
        one.element.setAttribute('aria-busy', 'true');
        retrieve(server, one.method, asked)
          .then((found) => {
            one.found = found;
            // The combined column shows what the others think, so it is drawn again as they arrive.
            for (const column of new Set([one, columns[0]!])) draw(column, asked.query);
          })
          .catch((error: unknown) => {
            if (asked.signal.aborted) return;
            one.about.textContent = '';
            showError(one.list, error);
          })
          .finally(() => {
            if (!asked.signal.aborted) one.element.setAttribute('aria-busy', 'false');
          });
      }
    },
  };
}

function makeColumn(method: Method): Column {
  const { label, hint } = ABOUT[method];
  const about = h('span', { class: 'time' });
  const list = h('div', { class: 'column-list' }, busy('Searching…'));
  const heading = h('h2', { id: `column-${method}` }, label);
  const element = h(
    'section',
    { class: `column by-${method}`, attrs: { 'aria-labelledby': heading.id } },
    h('header', {}, heading, h('span', { class: 'column-hint' }, hint), about),
    list,
  );
  const tab = h('button', { class: 'tab', attrs: { type: 'button', 'aria-pressed': 'false' } }, label);
  return { method, element, list, about, tab };
}

/** The same passage in the other columns lights up with the one in hand. */
function twins(results: HTMLElement, target: Element): void {
  const key = target.closest<HTMLElement>('.card')?.dataset['key'];
  for (const one of results.querySelectorAll<HTMLElement>('.card'))
    one.classList.toggle('twin', key !== undefined && one.dataset['key'] === key);
}

function nothing(method: Method): HTMLElement {
  const what =
    method === 'relations'
      ? 'Nothing in the graph is linked to these words. `vai graph build <collection>` builds it.'
      : 'Nothing found.';
  return h('p', { class: 'none' }, withCode(what));
}
