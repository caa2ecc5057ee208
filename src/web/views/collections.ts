// Everything there is to search, with its size, its model, how fresh and how well it is, and what can be done with it.

import { mayAddAny, type App, type View } from '../app.ts';
import { button, field, h, link, outside, paragraph, replace, viewFrame, type Child } from '../core/dom.ts';
import { ago, bytes, count, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { activity, type Activity } from '../parts/activity.ts';
import { overview, type CollectionInfo } from '../parts/collections.ts';
import { openDialog } from '../parts/dialog.ts';
import { fact } from '../parts/figures.ts';
import { busy, empty, showError, warnings } from '../parts/notice.ts';

/** Tiles drawn at once. */
const STEP = 60;

export function collectionsView(app: App): View {
  const total = h('p', { class: 'lede' });
  const filter = h('input', {
    attrs: { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter collections', autocomplete: 'off' },
  });
  const list = h('div', {});
  const work = activity(app, () => void load());
  const add = mayAddAny(app) ? link('Add', formatHash('add'), { class: 'primary' }) : null;
  const element = viewFrame(
    'collections',
    { title: 'Collections', lede: total, beside: [filter, add] },
    work.element,
    list,
  );
  let all: CollectionInfo[] = [];
  let notes: string[] = [];
  let limit = STEP;

  async function load(): Promise<void> {
    try {
      const found = await overview(app);
      all = found.collections;
      notes = found.warnings;
      draw();
    } catch (error) {
      showError(list, error);
    }
  }

  function draw(): void {
    const wanted = filter.value.trim().toLowerCase();
    const fitting = all.filter((one) => `${one.name} ${one.title}`.toLowerCase().includes(wanted));
    const chunks = all.reduce((sum, one) => sum + one.chunks, 0);
    const size = all.reduce((sum, one) => sum + one.bytes, 0);
    filter.hidden = all.length < 9;
    total.textContent = all.length
      ? `${plural(all.length, 'collection')}, ${plural(chunks, 'passage')}, ${bytes(size)}`
      : '';
    replace(
      list,
      warnings(notes),
      all.length
        ? h(
            'ul',
            { class: 'tiles' },
            ...fitting.slice(0, limit).map((one) => h('li', {}, tile(app, one, work, load))),
          )
        : nothingYet(app),
      fitting.length > limit
        ? button(`Show ${plural(fitting.length - limit, 'more collection')}`, more, { class: 'quiet more' })
        : null,
      all.length && !fitting.length ? h('p', { class: 'none' }, 'No collection has this in its name.') : null,
    );
  }

  const more = (): void => {
    limit += STEP * 4;
    draw();
  };
  filter.addEventListener('input', () => {
    limit = STEP;
    draw();
  });

  return {
    element,
    title: 'Collections',
    show() {
      if (!list.hasChildNodes()) replace(list, busy());
      void load();
      work.show();
    },
    hide: () => work.hide(),
  };
}

function nothingYet(app: App): HTMLElement {
  const mayAdd = mayAddAny(app);
  return empty(
    'No collections yet',
    mayAdd
      ? paragraph('Add a documentation source or paste a note; each becomes a collection.')
      : paragraph('Whoever runs this server can add some; this key may only read.'),
    mayAdd ? link('Add', formatHash('add'), { class: 'primary' }) : null,
  );
}

function tile(app: App, info: CollectionInfo, work: Activity, reload: () => Promise<void>): HTMLElement {
  const index = (info.indexStatus ?? 'ready') === 'ready' ? '' : `, vector index ${info.indexStatus}`;
  const model = info.model
    ? `${info.model}, ${info.dimensions} dimensions${index}`
    : 'none: searched by words only';
  const vectors =
    info.model && info.vectors < info.chunks ? `${count(info.vectors)} of ${count(info.chunks)}` : '';
  return h(
    'article',
    { class: 'tile', data: { name: info.name } },
    h('header', {}, h('h2', {}, link(info.name, formatHash('contents', { c: info.name }))), badges(info)),
    info.title !== info.name && !info.location?.endsWith(`/${info.title}`)
      ? h('p', { class: 'tile-title' }, info.title)
      : null,
    info.url ? h('p', { class: 'tile-url' }, outside(info.url)) : null,
    info.location ? h('p', { class: 'tile-url' }, info.location) : null,
    h(
      'dl',
      { class: 'facts' },
      fact('Documents', count(info.documents)),
      fact('Passages', count(info.chunks)),
      fact('Lines', count(info.lines)),
      fact('Size', bytes(info.bytes)),
      h('div', { class: 'whole' }, h('dt', {}, 'Embedding model'), h('dd', {}, model)),
      vectors ? fact('Vectors', vectors) : null,
      info.pages?.failed ? fact('Failed pages', count(info.pages.failed)) : null,
      info.pages?.pending ? fact('Pending pages', count(info.pages.pending)) : null,
    ),
    problems(info.problems),
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
    manage(app, info, work, reload),
  );
}

function problems(list: readonly string[]): HTMLElement | null {
  if (list.length === 0) return null;
  return h(
    'details',
    { class: 'notice bad' },
    h('summary', {}, plural(list.length, 'problem')),
    h('ul', {}, ...list.slice(0, 20).map((text) => h('li', {}, text))),
  );
}

/** Only what the key may do; nothing at all for one that may only read. */
function manage(
  app: App,
  info: CollectionInfo,
  work: Activity,
  reload: () => Promise<void>,
): HTMLElement | null {
  const { name } = info;
  const act = (label: string, action: string, run: () => void, more = ''): Child =>
    app.may(action) &&
    button(label, run, { class: `quiet ${more}`, attrs: { 'aria-label': `${label} ${name}` } });
  const begin = (action: string) => (): void => void work.start(action, { collection: name });
  const actions = [
    info.refreshable && act('Refresh', 'refresh', begin('refresh')),
    act('Build graph', 'graph', begin('graph')),
    act('Evaluate', 'evaluate', begin('evaluate')),
    act('Check', 'check', begin('check')),
    act('Rename', 'rename', () => rename(app, name, reload)),
    act('Delete', 'delete', () => remove(info, work), 'danger'),
  ].filter(Boolean);
  if (actions.length === 0) return null;
  return h(
    'details',
    { class: 'manage' },
    h('summary', { attrs: { 'aria-label': `Manage ${name}` } }, 'Manage'),
    h('p', {}, ...actions),
  );
}

function rename(app: App, name: string, reload: () => Promise<void>): void {
  const to = h('input', { attrs: { required: true, maxlength: 120, value: name, autocomplete: 'off' } });
  openDialog({
    title: `Rename ${name}`,
    body: [field('New name', to, 'Citations and keys that use the old name stop working.')],
    action: 'Rename',
    run: async () => {
      await app.server.admin('rename', { collection: name, to: to.value.trim() });
      await reload();
    },
  });
}

function remove({ name, documents }: CollectionInfo, work: Activity): void {
  openDialog({
    title: `Delete ${name}?`,
    body: [
      paragraph(
        `${plural(documents, 'document')} and everything found in them. You can undo this for 30 seconds.`,
      ),
    ],
    action: 'Delete',
    danger: true,
    run: () => work.start('delete', { collection: name }),
  });
}

function badges(info: CollectionInfo): HTMLElement {
  const when = ago(info.checkedAt, Date.now());
  return h(
    'span',
    { class: 'badges' },
    info.version ? h('span', { class: 'badge', title: 'Version of the documentation' }, info.version) : null,
    h(
      'span',
      {
        class: info.stale ? 'badge stale' : 'badge fresh',
        title: `Checked ${info.checkedAt}, changed ${info.changedAt}`,
      },
      info.stale ? `stale, ${when}` : `fresh, ${when}`,
    ),
  );
}
