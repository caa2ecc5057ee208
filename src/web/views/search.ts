// Search as you type: one ranked list, the same ranking agents get. Those who tune compare the methods side by side.

import { mayAddAny, type App, type View } from '../app.ts';
import { button, choices, h, hint, link, paragraph, replace } from '../core/dom.ts';
import { milliseconds, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { icon } from '../core/icons.ts';
import { overview, type CollectionInfo } from '../parts/collections.ts';
import { comparison } from '../parts/compare.ts';
import { filters } from '../parts/filters.ts';
import { busy, empty, showError, warnings } from '../parts/notice.ts';
import { result } from '../parts/result.ts';
import { ask, available, type Found } from '../parts/retrieve.ts';

const DEBOUNCE_MS = 150;
const LIMIT = 20;

export function searchView(app: App): View {
  const input = h('input', {
    class: 'search-input',
    id: 'query',
    attrs: {
      type: 'search',
      placeholder: 'A question or a few words',
      'aria-label': 'Search',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 1000,
    },
  });
  const scope = h('select', { attrs: { 'aria-label': 'Collection' } });
  const narrow = filters(
    () => draw(),
    () => later(),
  );
  const methods = available(app.tools);
  const compare = comparison(methods);
  const toggle = button('Compare', () => setComparing(!comparing), {
    class: 'quiet',
    title: 'The methods side by side',
    attrs: { 'aria-pressed': 'false' },
  });
  const about = h('p', { class: 'found-about' });
  const list = h('div', { class: 'results' });
  const answers = h(
    'div',
    { class: 'answers' },
    h('div', { class: 'found-bar' }, about, narrow.element, toggle),
    list,
    compare.element,
  );
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
    start,
    answers,
  );
  let running = new AbortController();
  let timer = 0;
  let shown = '';
  let found: Found | undefined;
  let comparing = false;
  let last: HTMLElement | undefined;

  const params = () => ({
    ...{ q: input.value.trim(), c: scope.value, v: narrow.version() },
    m: comparing ? 'compare' : '',
  });

  function setComparing(on: boolean): void {
    comparing = on;
    shown = '';
    app.settle('search', params());
    run();
  }

  function later(): void {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      app.settle('search', params());
      run();
    }, DEBOUNCE_MS);
  }

  function run(): void {
    const { q, c, v, m } = params();
    const what = JSON.stringify([q, c, v, m]);
    if (what === shown) return;
    shown = what;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    answers.hidden = q === '';
    start.hidden = q !== '';
    list.hidden = narrow.element.hidden = comparing;
    compare.element.hidden = !comparing;
    toggle.setAttribute('aria-pressed', String(comparing));
    if (q === '') return;
    const asked = { query: q, collection: c, version: v, limit: LIMIT, signal };
    if (comparing) {
      about.textContent = '';
      compare.run(app.server, asked);
      return;
    }
    if (!list.hasChildNodes()) replace(list, busy('Searching…'));
    list.setAttribute('aria-busy', 'true');
    ask(app.server, app.tools, asked)
      .then((answer) => {
        found = answer;
        draw();
        app.announce(`${plural(answer.hits.length, 'passage')} found`);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        shown = '';
        about.textContent = '';
        showError(list, error);
      })
      .finally(() => {
        if (!signal.aborted) list.setAttribute('aria-busy', 'false');
      });
  }

  function draw(): void {
    if (!found) return;
    const query = input.value.trim();
    const hits = found.hits.filter(narrow.fits);
    const focused = list.contains(document.activeElement)
      ? document.activeElement?.closest<HTMLElement>('.card')?.dataset['key']
      : undefined;
    app.results.citations = hits.map((hit) => hit.citation);
    about.textContent = `${plural(hits.length, 'passage')} · ${milliseconds(found.ms)}`;
    replace(
      list,
      verdict(found),
      hits.length
        ? h('ol', { class: 'cards' }, ...hits.map((hit) => h('li', {}, result(hit, query))))
        : nothing(found.hits.length),
      warnings(found.notes),
    );
    if (focused)
      list.querySelector<HTMLElement>(`.card[data-key="${CSS.escape(focused)}"] .card-link`)?.focus();
  }

  async function fillStart(): Promise<void> {
    if (methods.length === 0) {
      const how = paragraph('Ask for a key with the read scope.');
      return replace(start, empty('This key cannot search', how));
    }
    try {
      const { collections } = await overview(app);
      narrow.offer(collections.flatMap((one) => one.version ?? []));
      const offered = labels(collections);
      replace(start, offered.size ? ready(offered, choose) : firstSteps(app));
      const chosen = scope.value || (scope.dataset['wanted'] ?? '');
      if (chosen && !offered.has(chosen)) offered.set(chosen, chosen);
      replace(scope, ...choices([['', 'All collections'], ...offered], chosen));
    } catch (error) {
      showError(start, error);
    }
  }

  function choose(name: string): void {
    scope.value = name;
    input.focus();
    later();
  }

  input.addEventListener('input', later);
  scope.addEventListener('change', later);
  answers.addEventListener('focusin', (event) => {
    if ((event.target as Element).matches('.card-link')) last = event.target as HTMLElement;
  });

  function onKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape') return moveTo(key, input, answers);
    if (document.activeElement !== input) return focus(input);
    // An empty box lets go of the keys, so that the digits and letters work as shortcuts.
    if (!input.value) input.blur();
    else {
      input.value = '';
      later();
    }
    return true;
  }

  return {
    element,
    title: 'Search',
    show(given) {
      input.value = given['q'] ?? '';
      comparing = given['m'] === 'compare';
      narrow.choose(given['v'] ?? '');
      scope.dataset['wanted'] = given['c'] ?? '';
      if ([...scope.options].some((option) => option.value === (given['c'] ?? '')))
        scope.value = given['c'] ?? '';
      else if (given['c'])
        scope.append(h('option', { attrs: { value: given['c'], selected: true } }, given['c']));
      void fillStart();
      run();
      // Back from a document, the result that led there has the focus again.
      if (last?.isConnected && !answers.hidden) focus(last);
      else if (!element.contains(document.activeElement)) input.focus({ preventScroll: true });
    },
    // What was typed last must not take the address of the next view.
    hide: () => clearTimeout(timer),
    onKey,
  };
}

/** Arrows lead from the box into the results, through them, and from column to column. */
function moveTo(key: string, input: HTMLElement, answers: HTMLElement): boolean {
  const lists = [...answers.querySelectorAll('.results, .column-list')].filter(
    (one) => (one as HTMLElement).offsetParent !== null,
  );
  const links = (at: number) => [...(lists[at]?.querySelectorAll<HTMLElement>('.card-link') ?? [])];
  if (key === 'ArrowDown' && document.activeElement === input)
    return focus(lists.map((_, at) => links(at)[0]).find(Boolean));
  const at = lists.findIndex((one) => one.contains(document.activeElement));
  const here = links(at);
  const row = here.indexOf(document.activeElement as HTMLElement);
  if (row === -1) return false;
  if (key === 'ArrowDown') return focus(here[row + 1] ?? here[row]);
  if (key === 'ArrowUp') return focus(row === 0 ? input : here[row - 1]);
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return false;
  for (let next = at + step; lists[next]; next += step) {
    const there = links(next);
    if (there.length) return focus(there[Math.min(row, there.length - 1)]);
  }
  return true;
}

function focus(element: HTMLElement | undefined | null): boolean {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
  return Boolean(element);
}

/** Said once, above the list, when the best of it may not be what was asked for. */
function verdict(found: Found): HTMLElement | null {
  if (found.verdict === 'nothing_relevant' && found.hits.length)
    return h('p', { class: 'notice' }, 'Nothing here seems relevant. The closest passages are listed below.');
  if (found.verdict === 'weak')
    return h('p', { class: 'notice' }, 'These passages are only loosely related to the question.');
  return null;
}

function nothing(before: number): HTMLElement {
  const what = before
    ? `None of the ${plural(before, 'passage')} found fits the filters.`
    : 'Nothing found. Try fewer or other words.';
  return h('p', { class: 'none' }, what);
}

/** What collections are called, by name. One that a search of all leaves out says so. */
function labels(collections: readonly CollectionInfo[]): Map<string, string> {
  const others = collections.some(({ onlyNamed, chunks }) => !onlyNamed && chunks > 0);
  return new Map(
    collections.map(({ name, onlyNamed }) => [
      name,
      others && onlyNamed ? `${name} (only when chosen)` : name,
    ]),
  );
}

/** Before anything is typed: what there is to search, and the keys. */
function ready(offered: ReadonlyMap<string, string>, choose: (name: string) => void): HTMLElement {
  const chips = [...offered]
    .slice(0, 12)
    .map(([name, label]) => button(label, () => choose(name), { class: 'chip' }));
  const key = (name: string): HTMLElement => h('kbd', {}, name);
  return empty(
    'What would you like to know?',
    paragraph('Type a question or a few words. Every result cites the exact lines it comes from.'),
    h('p', { class: 'chips' }, ...chips),
    hint(key('/'), ' search  ', key('↓'), ' results  ', key('?'), ' all keys'),
  );
}

function firstSteps(app: App): HTMLElement {
  if (!mayAddAny(app))
    return empty('Nothing to search yet', paragraph('Whoever runs this server has to add something first.'));
  return empty(
    'Nothing to search yet',
    paragraph('Add the documentation you work with, or paste a first note.'),
    paragraph(link('Add a source', formatHash('add'), { class: 'primary' })),
    hint('From a terminal: ', h('code', {}, 'vai ingest <folder>')),
  );
}
