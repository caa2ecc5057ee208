// One document, rendered to be read, with the cited lines marked and in view, its whole outline beside it, and the way
// to the next result.

import type { App, View } from '../app.ts';
import { parseCitation, type Citation } from '../core/citation.ts';
import { loadDocument, readBack, readOn, type Loaded } from '../core/document.ts';
import { button, h, replace } from '../core/dom.ts';
import { ago, plural } from '../core/format.ts';
import { frontMatterTitle } from '../core/front-matter.ts';
import { formatHash } from '../core/hash.ts';
import { queryWords } from '../core/highlight.ts';
import { icon } from '../core/icons.ts';
import { headingsIn, type Heading } from '../core/outline.ts';
import { resolveLink } from '../core/links.ts';
import { codeLines, lineRow } from '../parts/lines.ts';
import { busy, errorBox, showError } from '../parts/notice.ts';
import { outlineTree } from '../parts/outline-tree.ts';
import { loadVersions, showVersions, type Version } from '../parts/versions.ts';

const MARKDOWN = /\.(?:md|mdx|markdown|txt|rst|adoc|html?|pdf|docx)$/i;

interface Open extends Loaded {
  at: Citation;
  words: string[];
}

export function readerView(app: App): View {
  const heading = h('h1', { attrs: { tabindex: '-1' } });
  const trail = h('p', { class: 'trail' });
  const about = h('p', { class: 'doc-about' });
  const body = h('article', { class: 'doc-text', attrs: { 'aria-label': 'Text' } });
  const earlier = button('Earlier lines', () => void more(readBack), { class: 'quiet more' });
  const later = button('Later lines', () => void more(readOn), { class: 'quiet more' });
  const copy = copyButton(app, 'Copy citation', () => cite);
  const copyText = copyButton(app, 'Copy for an agent', () => quoted());
  const raw = button('Raw', () => toggleRaw(), { class: 'quiet', attrs: { 'aria-pressed': 'false' } });
  const older = button('Versions', () => open && showVersions(app, open.at.collection, versions), {
    class: 'quiet',
    attrs: { hidden: true },
  });
  const step = h('span', { class: 'steps' });
  const back = h(
    'button',
    { class: 'quiet back', attrs: { type: 'button' }, on: { click: () => leave() } },
    icon('back'),
    'Back',
  );
  const outline = outlineTree(body);
  const element = h(
    'section',
    { class: 'view doc', attrs: { 'aria-label': 'Document' } },
    h(
      'header',
      { class: 'doc-bar' },
      back,
      h('div', { class: 'doc-name' }, heading, trail),
      step,
      h('div', { class: 'doc-tools' }, copy, copyText, older, raw),
    ),
    h(
      'div',
      { class: 'doc-grid' },
      outline.element,
      h('div', { class: 'doc-body' }, about, earlier, body, later),
    ),
  );
  let open: Open | undefined;
  let cite = '';
  let query = '';
  let isRaw = false;
  let drawings = 0;
  let versions: Version[] = [];

  const leave = (): void => {
    if (!app.back()) app.go('search', { q: query });
  };

  /** The cited lines under their citation, as an agent would want them pasted. */
  function quoted(): string {
    if (!open) return cite;
    const { at, text } = open;
    const lines = text.lines.slice(Math.max(0, at.start - text.from), at.end - text.from + 1);
    return `From ${cite}:\n\n${lines.map((line) => `> ${line}`).join('\n')}\n`;
  }

  function toggleRaw(): void {
    isRaw = !isRaw;
    raw.setAttribute('aria-pressed', String(isRaw));
    void draw().then(showCited);
  }

  async function show(citation: string): Promise<void> {
    const at = parseCitation(citation);
    if (!at) {
      replace(body, errorBox(undefined));
      return;
    }
    heading.textContent = at.path.split('/').at(-1) || at.collection;
    trail.textContent = at.name;
    about.textContent = '';
    earlier.hidden = later.hidden = true;
    drawSteps();
    if (open?.at.name !== at.name) {
      outline.clear();
      replace(body, busy());
    }
    const loaded = open?.at.name === at.name && holds(open, at) ? open : await loadDocument(app.server, at);
    if (cite !== citation) return;
    if (typeof loaded === 'string') {
      replace(body, h('p', { class: 'none' }, loaded));
      return;
    }
    const isOther = open?.at.name !== at.name;
    open = { ...loaded, at, words: queryWords(query) };
    if (isOther) void findVersions(at);
    await draw();
    if (cite !== citation) return;
    showCited();
    app.announce(`${heading.textContent}, lines ${at.start} to ${at.end}`);
  }

  /** A document that was never replaced has none, and is not asked about them again. */
  async function findVersions(at: Citation): Promise<void> {
    older.hidden = true;
    const found = await loadVersions(app, at).catch(() => []);
    if (open?.at.name !== at.name) return;
    versions = found;
    older.hidden = found.length === 0;
  }

  async function draw(): Promise<void> {
    if (!open) return;
    const drawing = (drawings += 1);
    const { at, text, words } = open;
    const rows = new Map(text.lines.map((line, index) => [text.from + index, line]));
    const isMarkdown = at.path === '' || MARKDOWN.test(at.path);
    const headings = isMarkdown ? headingsIn(rows) : [];
    heading.textContent =
      frontMatterTitle(text.lines) ?? headings[0]?.title ?? (at.path.split('/').at(-1) || at.collection);
    about.textContent = [
      at.end > at.start ? `Lines ${at.start}–${at.end} cited` : `Line ${at.start} cited`,
      `${plural(text.from + text.lines.length - 1, 'line')}${text.complete ? '' : ' so far'}`,
      `${open.stale ? 'not checked since' : 'fetched'} ${ago(open.fetchedAt, Date.now())}`,
    ].join(' · ');
    earlier.hidden = text.from <= 1;
    later.hidden = text.complete;
    raw.hidden = !isMarkdown;
    if (isRaw && isMarkdown) {
      const lines = [...rows].map(([number, line]) => lineRow({ number, text: line, hit: false }, words));
      replace(body, h('div', { class: 'doc-lines' }, ...lines));
    } else {
      const content = isMarkdown ? await rendered(open, headings) : asCode(open);
      // Rendering takes a moment, and what was asked for since is shown already: `Raw`, or other lines.
      if (drawing !== drawings) return;
      replace(body, content);
    }
    markCited(body, at);
    outline.show(headings, at.start);
  }

  /** The cited lines come below the bar, with a little of what precedes them. */
  function showCited(): void {
    body.querySelector('.cited')?.scrollIntoView({ block: 'start' });
    outline.follow();
  }

  async function more(read: typeof readOn | typeof readBack): Promise<void> {
    if (!open) return;
    const top = body.getBoundingClientRect().bottom;
    try {
      await read(app.server, open.at.name, open.text);
      await draw();
      // What was read stays where it is while lines come in above it.
      if (read === readBack) scrollBy(0, body.getBoundingClientRect().bottom - top);
    } catch (error) {
      showError(about, error);
    }
  }

  function drawSteps(): void {
    const found = app.results.citations;
    const here = found.indexOf(cite);
    const to = (at: number, label: string): HTMLButtonElement =>
      button(label, () => app.swap('doc', { cite: found[at]!, q: query }), {
        class: 'quiet',
        attrs: {
          disabled: found[at] === undefined,
          'aria-label': label === '‹' ? 'Previous result' : 'Next result',
        },
      });
    if (here === -1 || found.length < 2) replace(step);
    else replace(step, to(here - 1, '‹'), `${here + 1} of ${found.length}`, to(here + 1, '›'));
  }

  return {
    element,
    title: 'Document',
    show(params) {
      cite = params['cite'] ?? '';
      query = params['q'] ?? '';
      show(cite).catch((error: unknown) => showError(body, error));
      heading.focus({ preventScroll: true });
    },
    onKey(event) {
      if (event.key === 'Escape') leave();
      else if (event.key === 'n') step.querySelector<HTMLElement>('button:last-child')?.click();
      else if (event.key === 'p') step.querySelector<HTMLElement>('button:first-child')?.click();
      else return false;
      return true;
    },
    hide: () => outline.pause(),
  };
}

function copyButton(app: App, label: string, text: () => string): HTMLButtonElement {
  const copy = (): void => {
    void navigator.clipboard?.writeText(text()).catch(() => undefined);
    control.textContent = 'Copied';
    setTimeout(() => (control.textContent = label), 1500);
    app.announce('Copied');
  };
  const control = button(label, copy, { class: 'quiet' });
  return control;
}

async function rendered({ at, text, words }: Open, headings: readonly Heading[]): Promise<HTMLElement> {
  const { renderMarkdown } = await import('../parts/markdown.ts');
  const resolve = (address: string): string | undefined => {
    const target = resolveLink(at, address, headings);
    return target ? formatHash('doc', { cite: target }) : undefined;
  };
  return renderMarkdown(text.lines, { from: text.from, words, resolve });
}

function asCode({ at, text, words }: Open): HTMLElement {
  const language = /\.(\w+)$/.exec(at.path)?.[1] ?? '';
  return codeLines(text.lines, { from: text.from, words, language, numbers: true });
}

const holds = ({ text }: Open, at: Citation): boolean =>
  at.start >= text.from && (text.complete || at.end < text.from + text.lines.length);

/** Marks the smallest blocks the cited lines touch; one that is folded away is opened. */
function markCited(body: HTMLElement, at: Citation): void {
  const touched = [...body.querySelectorAll<HTMLElement>('[data-line]')].filter(
    ({ dataset }) => Number(dataset['line']) <= at.end && Number(dataset['end']) >= at.start,
  );
  const outer = new Set<Element>();
  for (const one of touched)
    for (
      let up = one.parentElement?.closest('[data-line]');
      up;
      up = up.parentElement?.closest('[data-line]')
    )
      outer.add(up);
  for (const one of touched) {
    if (outer.has(one)) continue;
    one.classList.add('cited');
    one.closest('details')?.setAttribute('open', '');
  }
}
