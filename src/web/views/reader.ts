// The document around a citation: its lines with the cited ones marked, and the heading tree beside them. Opened
// without a citation it is the table of contents of a collection.

import type { App, View } from '../app.ts';
import { parseCitation, type Citation } from '../core/citation.ts';
import { button, h, link, replace } from '../core/dom.ts';
import { count } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { pieces, queryWords } from '../core/highlight.ts';
import { icon } from '../core/icons.ts';
import { headingAt, headingsIn, mergeOutline, parseOutline, type OutlineItem } from '../core/outline.ts';
import { lineRow } from '../parts/lines.ts';
import { busy, errorBox, showError } from '../parts/notice.ts';

const STEP = 60;
const MAX_TREE = 400;

interface Snippet {
  alias: string;
  lines: string;
  content: string;
  headingPath: string[];
  fetchedAt: string;
  stale: boolean;
  status?: string;
}

interface FindAnswer {
  snippets: Snippet[];
  notices?: { message?: string }[];
}

interface Open {
  at: Citation;
  words: string[];
  lines: Map<number, string>;
  report: OutlineItem[];
}

export function readerView(app: App): View {
  const heading = h('h1', { attrs: { tabindex: '-1' } });
  const trail = h('p', { class: 'trail' });
  const about = h('p', { class: 'doc-about' });
  const tree = h('nav', { class: 'tree', attrs: { 'aria-label': 'Headings' } });
  const body = h('div', { class: 'doc-lines' });
  const before = button('Earlier lines', () => void more(-1), { class: 'quiet more' });
  const after = button('Later lines', () => void more(1), { class: 'quiet more' });
  const copy = button('Copy citation', () => void copyCitation(), { class: 'quiet' });
  const back = h(
    'button',
    { class: 'quiet back', attrs: { type: 'button' }, on: { click: () => leave() } },
    icon('back'),
    'Back',
  );
  const element = h(
    'section',
    { class: 'view doc', attrs: { 'aria-label': 'Document' } },
    h('div', { class: 'doc-bar' }, back, copy),
    h('header', { class: 'doc-head' }, trail, heading, about),
    h(
      'div',
      { class: 'doc-grid' },
      h('details', { class: 'tree-fold', attrs: { open: true } }, h('summary', {}, 'Headings'), tree),
      h('div', { class: 'doc-body' }, before, body, after),
    ),
  );
  let open: Open | undefined;
  let cite = '';
  let came = { q: '', c: '' };

  const leave = (): void => {
    if (!app.back()) app.go('search', came);
  };

  async function copyCitation(): Promise<void> {
    await navigator.clipboard?.writeText(cite).catch(() => undefined);
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy citation'), 1500);
    app.announce('Citation copied');
  }

  async function read(citation: string, mode: 'none' | 'symmetric'): Promise<FindAnswer> {
    return app.server.call<FindAnswer>('find', { snippets: [citation], contextMode: mode });
  }

  async function show(citation: string, query: string): Promise<void> {
    const at = parseCitation(citation);
    if (!at) {
      replace(body, errorBox(undefined));
      return;
    }
    heading.textContent = at.path || at.collection;
    trail.textContent = at.path ? at.collection : '';
    about.textContent = '';
    before.hidden = after.hidden = true;
    replace(body, busy());
    const answer = await read(citation, 'symmetric');
    if (cite !== citation) return;
    const snippet = answer.snippets[0];
    if (!snippet) {
      replace(body, h('p', { class: 'none' }, answer.notices?.[0]?.message ?? 'These lines are gone.'));
      return;
    }
    open = { at, words: queryWords(query), lines: new Map(), report: open?.report ?? [] };
    keep(snippet);
    trail.textContent = [at.collection, ...snippet.headingPath].join(' › ');
    about.textContent = `Lines ${at.start}–${at.end} cited${snippet.stale ? ' · not checked for 30 days' : ''}`;
    before.hidden = after.hidden = false;
    if (open.lines.size < STEP) await Promise.all([more(-1), more(1)]);
    if (cite !== citation) return;
    draw();
    const cited = [...body.querySelectorAll('.cited')];
    // Only as far as needed, and rather the beginning than the end.
    cited.at(-1)?.scrollIntoView({ block: 'nearest' });
    cited[0]?.scrollIntoView({ block: 'nearest' });
    app.announce(`${at.path || at.collection}, lines ${at.start} to ${at.end}`);
  }

  function keep(snippet: Snippet): number {
    const [from = 1] = snippet.lines.split(/[-,]/).map(Number);
    const lines = snippet.content.split('\n');
    lines.forEach((text, at) => open?.lines.set(from + at, text));
    return lines.length;
  }

  function draw(): void {
    if (!open) return;
    const { at, words, lines } = open;
    const numbers = [...lines.keys()].sort((a, b) => a - b);
    replace(
      body,
      ...numbers.map((number) => {
        const text = lines.get(number)!;
        const hit = pieces(text, words).some((piece) => piece.hit);
        return lineRow({ number, text, hit }, { words, cited: at });
      }),
    );
    before.hidden = (numbers[0] ?? 1) <= 1;
    drawTree();
  }

  function drawTree(): void {
    if (!open) return;
    const { at, lines, report } = open;
    const items = mergeOutline(
      report.filter((item) => item.path === at.path),
      headingsIn(lines, at.path),
    );
    const current = headingAt(items, at.start);
    // The last section ends with the text.
    const end = Math.max(0, ...report.filter((item) => item.path === at.path).map((item) => item.end));
    if (end > 0 && Math.max(...lines.keys()) >= end) after.hidden = true;
    const list = items.slice(0, MAX_TREE).map((item) => treeItem(item, item === current));
    replace(
      tree,
      items.length ? h('ul', {}, ...list) : h('p', { class: 'hint' }, 'This text has no headings.'),
      items.length > MAX_TREE
        ? h('p', { class: 'hint' }, `and ${count(items.length - MAX_TREE)} more`)
        : null,
    );
    tree.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  function treeItem(item: OutlineItem, current: boolean): HTMLElement {
    const name = open?.at.collection ?? '';
    const last = Math.max(item.start, Math.min(item.end, item.start + 199));
    const target = `${name}${item.path ? `/${item.path}` : ''}:${item.start}-${last}`;
    const anchor = link(item.title, formatHash('doc', { cite: target }), {
      attrs: current ? { 'aria-current': 'true' } : {},
    });
    anchor.addEventListener('click', (event) => {
      const row = body.querySelector<HTMLElement>(`[data-line="${item.start}"]`);
      if (!row || open?.at.path !== item.path || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      row.scrollIntoView({ block: 'start' });
      row.classList.add('flash');
      setTimeout(() => row.classList.remove('flash'), 1200);
    });
    return h('li', { class: `depth-${Math.min(6, item.depth)}` }, anchor);
  }

  async function more(direction: -1 | 1): Promise<void> {
    if (!open) return;
    const numbers = [...open.lines.keys()];
    const edge = direction < 0 ? Math.min(...numbers) : Math.max(...numbers);
    const from = direction < 0 ? Math.max(1, edge - STEP) : edge + 1;
    const to = direction < 0 ? edge - 1 : edge + STEP;
    const control = direction < 0 ? before : after;
    try {
      const answer = await read(`${open.at.name}:${from}-${to}`, 'none');
      const snippet = answer.snippets[0];
      const got = snippet ? keep(snippet) : 0;
      draw();
      if (direction > 0 && got < STEP) control.hidden = true;
    } catch {
      // Asking past the end is refused; there is nothing more to show.
      control.hidden = true;
    }
  }

  async function loadReport(collection: string): Promise<OutlineItem[]> {
    if (!app.tools.has('run-command')) return [];
    const { stdout } = await app.server.call<{ stdout: string }>('run-command', {
      command: 'inspect',
      source: collection,
    });
    return parseOutline(stdout);
  }

  /** The whole collection: every document with its first headings. */
  async function contents(collection: string): Promise<void> {
    heading.textContent = collection;
    trail.textContent = 'Contents';
    about.textContent = '';
    before.hidden = after.hidden = true;
    replace(tree);
    replace(body, busy());
    const items = await loadReport(collection);
    const groups = Map.groupBy(items, (item) => item.path);
    open = {
      at: { name: collection, collection, path: '', start: 0, end: 0 },
      words: [],
      lines: new Map(),
      report: items,
    };
    replace(
      body,
      items.length ? null : h('p', { class: 'none' }, 'No headings are known in this collection.'),
      ...[...groups].map(([path, group]) =>
        h(
          'section',
          { class: 'contents' },
          path ? h('h2', {}, path) : null,
          h('ul', { class: 'tree' }, ...group.slice(0, MAX_TREE).map((item) => treeItem(item, false))),
        ),
      ),
    );
  }

  return {
    element,
    title: 'Document',
    show(params) {
      cite = params['cite'] ?? '';
      came = { q: params['q'] ?? '', c: '' };
      const collection = parseCitation(cite)?.collection ?? params['c'] ?? '';
      const known = open?.at.collection === collection;
      element.classList.toggle('is-contents', cite === '');
      copy.hidden = cite === '';
      if (window.innerWidth < 900) element.querySelector('details')?.removeAttribute('open');
      if (cite === '') {
        contents(collection).catch((error: unknown) => showError(body, error));
      } else {
        if (!known) open = undefined;
        show(cite, came.q)
          .then(async () => {
            if (known || !open) return;
            open.report = await loadReport(collection).catch(() => []);
            drawTree();
          })
          .catch((error: unknown) => showError(body, error));
      }
      heading.focus({ preventScroll: true });
    },
    onKey(event) {
      if (event.key === 'Escape') {
        leave();
        return true;
      }
      return false;
    },
  };
}
