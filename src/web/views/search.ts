// Search as you type: four columns on a wide screen, one at a time on a phone. Each column is asked by itself, so a
// slow one holds up nobody; a newer query abandons the older one's calls.

import type { App, View } from '../app.ts';
import { button, h, link, replace } from '../core/dom.ts';
import { milliseconds, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { icon } from '../core/icons.ts';
import { card } from '../parts/card.ts';
import { collectionNames } from '../parts/collections.ts';
import { busy, empty, showError, warnings, withCode } from '../parts/notice.ts';
import { ABOUT, available, retrieve, type Found, type Method } from '../parts/retrieve.ts';

const DEBOUNCE_MS = 180;
/** More are asked for than shown, so that the scores of a passage are known in the columns where it stands lower. */
const LIMIT = 20;
const SHOWN = 8;

interface Column {
  method: Method;
  element: HTMLElement;
  list: HTMLElement;
  about: HTMLElement;
  tab: HTMLButtonElement;
  found?: Found;
}

export function searchView(app: App): View {
  const input = h('input', {
    class: 'search-input',
    id: 'query',
    attrs: {
      type: 'search',
      placeholder: 'Search your knowledge base',
      'aria-label': 'Search',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 1000,
    },
  });
  const scope = h('select', { attrs: { 'aria-label': 'Collection' } });
  const methods = available(app.tools);
  const columns = methods.map(makeColumn);
  const tabs = h(
    'div',
    { class: 'tabs', attrs: { role: 'group', 'aria-label': 'Method shown' } },
    ...columns.map((column) => column.tab),
  );
  const results = h('div', { class: `columns of-${columns.length}` }, ...columns.map((one) => one.element));
  const start = h('div', { class: 'start' });
  const element = h(
    'section',
    { class: 'view search', attrs: { 'aria-label': 'Search' } },
    h(
      'form',
      { class: 'search-form', attrs: { role: 'search' }, on: { submit: (event) => event.preventDefault() } },
      h(
        'span',
        { class: 'search-box' },
        icon('search'),
        input,
        h('kbd', { attrs: { 'aria-hidden': 'true' } }, '/'),
      ),
      scope,
    ),
    tabs,
    start,
    results,
  );
  let running = new AbortController();
  let timer = 0;
  let shown = '';
  let last: HTMLElement | undefined;

  const params = () => ({ q: input.value.trim(), c: scope.value });
  const choose = (method: Method): void => {
    for (const one of columns) {
      one.tab.setAttribute('aria-pressed', String(one.method === method));
      one.element.classList.toggle('chosen', one.method === method);
    }
  };
  for (const one of columns) one.tab.addEventListener('click', () => choose(one.method));
  if (columns[0]) choose(columns[0].method);

  function later(): void {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      app.settle('search', params());
      run();
    }, DEBOUNCE_MS);
  }

  function run(): void {
    const { q, c } = params();
    const what = JSON.stringify([q, c]);
    if (what === shown) return;
    shown = what;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    results.hidden = tabs.hidden = q === '';
    start.hidden = q !== '';
    if (q === '') return;
    for (const one of columns) {
      delete one.found;
      one.element.setAttribute('aria-busy', 'true');
      retrieve(app.server, one.method, { query: q, collection: c, limit: LIMIT, signal })
        .then((found) => {
          one.found = found;
          draw(one, q);
          const hybrid = columns.find((other) => other.method === 'hybrid');
          if (hybrid?.found && hybrid !== one) draw(hybrid, q);
          if (one.method === 'hybrid') app.announce(`${plural(found.hits.length, 'passage')} found`);
        })
        .catch((error: unknown) => {
          if (signal.aborted) return;
          shown = '';
          one.about.textContent = '';
          showError(one.list, error);
        })
        .finally(() => {
          if (!signal.aborted) one.element.setAttribute('aria-busy', 'false');
        });
    }
  }

  function draw(column: Column, query: string): void {
    const { found } = column;
    if (!found) return;
    const focused = column.list.contains(document.activeElement)
      ? document.activeElement?.closest<HTMLElement>('.card')?.dataset['key']
      : undefined;
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
    if (focused) find(column, focused)?.focus();
  }

  const find = (column: Column, key: string): HTMLElement | null =>
    column.list.querySelector<HTMLElement>(`.card[data-key="${CSS.escape(key)}"] .card-link`);

  async function fillStart(): Promise<void> {
    if (methods.length === 0) {
      replace(start, empty('This key cannot search', h('p', {}, 'Ask for a key with the read scope.')));
      return;
    }
    try {
      const names = await collectionNames(app);
      const chosen = scope.value || (scope.dataset['wanted'] ?? '');
      replace(
        scope,
        h('option', { attrs: { value: '' } }, 'All collections'),
        ...[...new Set([...names, ...(chosen ? [chosen] : [])])].map((name) =>
          h('option', { attrs: { value: name, selected: name === chosen } }, name),
        ),
      );
      replace(start, names.length ? ready(names) : firstSteps());
    } catch (error) {
      showError(start, error);
    }
  }

  function ready(names: readonly string[]): HTMLElement {
    return empty(
      'What would you like to know?',
      h('p', {}, 'Type a question or a few words. Every result cites the exact lines it comes from.'),
      h(
        'p',
        { class: 'chips' },
        ...names.slice(0, 12).map((name) =>
          button(
            name,
            () => {
              scope.value = name;
              input.focus();
              later();
            },
            { class: 'chip' },
          ),
        ),
      ),
      h(
        'p',
        { class: 'hint' },
        h('kbd', {}, '/'),
        ' search  ',
        h('kbd', {}, '↓'),
        ' results  ',
        h('kbd', {}, '?'),
        ' all keys',
      ),
    );
  }

  input.addEventListener('input', later);
  scope.addEventListener('change', later);
  results.addEventListener('focusin', (event) => {
    last = event.target as HTMLElement;
    twins(results, last);
  });
  results.addEventListener('mouseover', (event) => twins(results, event.target as Element));

  function onKey(event: KeyboardEvent): boolean {
    const visible = columns.filter((one) => one.element.offsetParent !== null);
    const at = visible.findIndex((one) => one.list.contains(document.activeElement));
    const links = (column: Column | undefined) => [
      ...(column?.list.querySelectorAll<HTMLElement>('.card-link') ?? []),
    ];
    if (event.key === 'ArrowDown' && document.activeElement === input)
      return focus(visible.map((one) => links(one)[0]).find(Boolean));
    if (event.key === 'Escape' && document.activeElement === input && input.value) {
      input.value = '';
      later();
      return true;
    }
    // An empty box lets go of the keys, so that the digits and letters work as shortcuts.
    if (event.key === 'Escape' && document.activeElement === input) {
      input.blur();
      return true;
    }
    if (event.key === 'Escape') return focus(input);
    if (at === -1) return false;
    const here = links(visible[at]);
    const row = here.indexOf(document.activeElement as HTMLElement);
    if (row === -1) return false;
    if (event.key === 'ArrowDown') return focus(here[row + 1] ?? here[row]);
    if (event.key === 'ArrowUp') return focus(row === 0 ? input : here[row - 1]);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return false;
    for (let next = at + step; visible[next]; next += step) {
      const there = links(visible[next]);
      if (there.length) return focus(there[Math.min(row, there.length - 1)]);
    }
    return true;
  }

  return {
    element,
    title: 'Search',
    show(given) {
      input.value = given['q'] ?? '';
      scope.dataset['wanted'] = given['c'] ?? '';
      if ([...scope.options].some((option) => option.value === (given['c'] ?? '')))
        scope.value = given['c'] ?? '';
      else if (given['c'])
        scope.append(h('option', { attrs: { value: given['c'], selected: true } }, given['c']));
      void fillStart();
      run();
      // Back from a document, the result that led there has the focus again.
      if (last?.isConnected && !results.hidden) focus(last);
      else if (!element.contains(document.activeElement)) input.focus({ preventScroll: true });
    },
    onKey,
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

function focus(element: HTMLElement | undefined | null): boolean {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
  return Boolean(element);
}

function nothing(method: Method): HTMLElement {
  const what =
    method === 'relations'
      ? 'Nothing in the graph is linked to these words. `vai graph build <collection>` reads a collection into it.'
      : 'Nothing found. Try fewer or other words.';
  return h('p', { class: 'none' }, withCode(what));
}

function firstSteps(): HTMLElement {
  return empty(
    'Nothing to search yet',
    h('p', {}, 'Add the documentation you work with, or paste a first note.'),
    h('p', {}, link('Add a source', formatHash('add'), { class: 'primary' })),
    h('p', { class: 'hint' }, 'From a terminal: ', h('code', {}, 'vai ingest <folder>')),
  );
}
