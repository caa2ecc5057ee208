// What a collection holds: its documents by folder, filtered as you type.

import type { App, View } from '../app.ts';
import { parseCitation } from '../core/citation.ts';
import { button, h, link, paragraph, replace, viewFrame } from '../core/dom.ts';
import { count, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { busy, empty, showError } from '../parts/notice.ts';

/** Drawn at once; more come by request, so that ten thousand documents do not hold up the page. */
const STEP = 150;

interface Document {
  /** `collection/path`, or the collection's name where it is one document. */
  target: string;
  title: string;
}

interface Entry extends Document {
  /** What the filter looks at, made once: ten thousand are looked at with every letter. */
  words: string;
}

/** A source that is one text is answered with that text. */
interface Listing {
  documents?: Document[];
  passages?: { citation: string; title: string }[];
  cursor?: string;
}

export function contentsView(app: App): View {
  const heading = h('h1', { attrs: { tabindex: '-1' } });
  const lede = h('p', { class: 'lede' });
  const filter = h('input', {
    attrs: {
      type: 'search',
      placeholder: 'Filter by title or path',
      'aria-label': 'Filter',
      autocomplete: 'off',
    },
  });
  const list = h('div', {});
  const element = viewFrame('contents', { title: heading, lede, beside: [filter] }, list);
  let documents: Entry[] = [];
  let collection = '';
  let matching: Entry[] = [];
  let shown = 0;
  let last: { folder: string; rows: HTMLElement } | undefined;

  async function load(name: string): Promise<void> {
    documents = [];
    let cursor: string | undefined;
    do {
      const page: Listing = await app.server.call('vai_get', { target: name, cursor });
      if (collection !== name) return;
      const single = page.passages?.slice(0, 1).map(({ citation, title }) => ({
        target: parseCitation(citation)?.name ?? name,
        title,
      }));
      for (const one of page.documents ?? single ?? [])
        documents.push({ ...one, words: `${one.title}\n${one.target}`.toLowerCase() });
      cursor = page.documents ? page.cursor : undefined;
      if (shown < STEP) draw();
    } while (cursor);
    draw();
  }

  function draw(): void {
    const wanted = filter.value.trim().toLowerCase();
    matching = wanted ? documents.filter(({ words }) => words.includes(wanted)) : documents;
    lede.textContent = wanted
      ? `${plural(matching.length, 'document')} of ${plural(documents.length, 'document')}`
      : plural(documents.length, 'document');
    shown = 0;
    last = undefined;
    replace(
      list,
      matching.length
        ? null
        : empty(
            'No documents',
            paragraph(wanted ? 'Nothing matches the filter.' : 'This collection is empty.'),
          ),
    );
    append();
  }

  /** The next rows go behind those that are there: a long list costs no more than a short one. */
  function append(): void {
    const next = matching.slice(shown, shown + STEP);
    shown += next.length;
    list.querySelector('.more')?.remove();
    for (const [folder, group] of Map.groupBy(next, ({ target }) =>
      target.split('/').slice(1, -1).join('/'),
    )) {
      if (last?.folder !== folder) {
        last = { folder, rows: h('ul', {}) };
        list.append(h('section', { class: 'folder' }, folder ? h('h2', {}, folder) : null, last.rows));
      }
      last.rows.append(...group.map((one) => h('li', {}, open(one))));
    }
    if (matching.length > shown) list.append(more(matching.length - shown));
  }

  function open({ target, title }: Document): HTMLElement {
    const name = target.split('/').at(-1)!;
    return h(
      'span',
      { class: 'entry' },
      link(title || name, formatHash('doc', { cite: `${target}:1` })),
      title && title !== name ? h('span', { class: 'hint' }, name) : null,
    );
  }

  function more(left: number): HTMLElement {
    const next = (): void => {
      append();
      list.querySelector<HTMLElement>('.more')?.focus({ preventScroll: true });
    };
    return button(`Show more (${count(left)} left)`, next, { class: 'quiet more' });
  }

  filter.addEventListener('input', draw);

  return {
    element,
    title: 'Contents',
    show(params) {
      if (params['c'] === collection && documents.length) return;
      collection = params['c'] ?? '';
      heading.textContent = collection;
      filter.value = '';
      replace(list, busy());
      load(collection).catch((error: unknown) => showError(list, error));
      heading.focus({ preventScroll: true });
    },
  };
}
