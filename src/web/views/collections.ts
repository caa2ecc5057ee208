// Everything there is to search, with its size, its model and how fresh it is.

import type { App, View } from '../app.ts';
import { h, link, outside, replace } from '../core/dom.ts';
import { ago, count, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { overview, sizes, type CollectionInfo } from '../parts/collections.ts';
import { busy, empty, showError, warnings } from '../parts/notice.ts';

export function collectionsView(app: App): View {
  const total = h('p', { class: 'lede' });
  const list = h('div', {});
  const element = h(
    'section',
    { class: 'view collections', attrs: { 'aria-labelledby': 'collections-title' } },
    h(
      'header',
      { class: 'view-head' },
      h('div', {}, h('h1', { id: 'collections-title' }, 'Collections'), total),
      link('Add a source', formatHash('add'), { class: 'primary' }),
    ),
    list,
  );

  async function load(): Promise<void> {
    const [{ infos: all, warnings: said }, bytes] = await Promise.all([
      overview(app),
      sizes(app).catch(() => new Map<string, string>()),
    ]);
    const chunks = all.reduce((sum, one) => sum + (one.chunks ?? 0), 0);
    total.textContent = all.length ? `${plural(all.length, 'collection')}, ${plural(chunks, 'passage')}` : '';
    replace(
      list,
      warnings(said),
      all.length
        ? h(
            'ul',
            { class: 'tiles' },
            ...all.map((one) => h('li', {}, tile({ ...one, ...withSize(bytes.get(one.name)) }))),
          )
        : empty(
            'No collections yet',
            h('p', {}, 'Add a documentation source or paste a note; each becomes a collection.'),
            link('Add a source', formatHash('add'), { class: 'primary' }),
          ),
    );
  }

  return {
    element,
    title: 'Collections',
    show() {
      if (!list.hasChildNodes()) replace(list, busy());
      load().catch((error: unknown) => showError(list, error));
    },
  };
}

const withSize = (size: string | undefined): { size?: string } => (size ? { size } : {});

function tile(info: CollectionInfo): HTMLElement {
  const fact = (name: string, value: string | undefined): HTMLElement | null =>
    value ? h('div', {}, h('dt', {}, name), h('dd', {}, value)) : null;
  const number = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : count(value);
  const model = info.model ? `${info.model} × ${info.dimensions}` : 'words only';
  return h(
    'article',
    { class: 'tile' },
    h('header', {}, h('h2', {}, link(info.name, formatHash('contents', { c: info.name }))), freshness(info)),
    info.title !== info.name ? h('p', { class: 'tile-title' }, info.title) : null,
    info.url ? h('p', { class: 'tile-url' }, outside(info.url)) : null,
    h(
      'dl',
      { class: 'facts' },
      fact('Documents', number(info.documents)),
      fact('Passages', number(info.chunks)),
      fact('Lines', number(info.lines)),
      fact('Size', info.size),
      fact('Headings', number(info.headings)),
      fact('Vector index', info.indexStatus ?? (info.model ? undefined : 'none')),
      fact('Model', model),
    ),
    info.error ? h('p', { class: 'notice bad' }, info.error) : null,
    h(
      'p',
      { class: 'tile-actions' },
      link('Search', formatHash('search', { c: info.name }), {
        attrs: { 'aria-label': `Search ${info.name}` },
      }),
      link('Contents', formatHash('contents', { c: info.name }), {
        attrs: { 'aria-label': `Contents of ${info.name}` },
      }),
    ),
  );
}

function freshness(info: CollectionInfo): HTMLElement {
  const when = info.checkedAt ?? info.updatedAt;
  return h(
    'span',
    {
      class: info.stale ? 'badge stale' : 'badge fresh',
      title: `Checked ${when}, changed ${info.updatedAt}`,
    },
    info.stale ? `stale, ${ago(when, Date.now())}` : `fresh, ${ago(when, Date.now())}`,
  );
}
