// Puts the page together: the frame, the gate, the views behind it and the keys.

import { mayAddAny, type App, type View } from './app.ts';
import { h, replace } from './core/dom.ts';
import { formatHash, parseHash, type ViewName } from './core/hash.ts';
import { icon, type IconName } from './core/icons.ts';
import { signOut } from './core/server.ts';
import { themeToggle } from './core/theme.ts';
import { helpDialog } from './parts/help.ts';
import { busy, showError } from './parts/notice.ts';
import { collectionsView } from './views/collections.ts';
import { contentsView } from './views/contents.ts';
import { enter, followPastedLinks, gate, remember, type Connection, type GateOptions } from './views/gate.ts';
import { graphView } from './views/graph.ts';
import { healthView } from './views/health.ts';
import { readerView } from './views/reader.ts';
import { searchView } from './views/search.ts';

const NAV: { view: ViewName; label: string; icon: IconName }[] = [
  { view: 'search', label: 'Search', icon: 'search' },
  { view: 'collections', label: 'Collections', icon: 'layers' },
  { view: 'add', label: 'Add', icon: 'plus' },
  { view: 'graph', label: 'Graph', icon: 'graph' },
  { view: 'health', label: 'Health', icon: 'pulse' },
  { view: 'access', label: 'Access', icon: 'key' },
];

/** A place the key could do nothing in is not offered. */
function offered(view: ViewName, app: App): boolean {
  if (view === 'add') return mayAddAny(app);
  if (view === 'graph') return app.tools.has('flowrag_entities');
  return view !== 'access' || app.may('keys');
}

const MAKERS: Record<ViewName, (app: App) => View> = {
  search: searchView,
  collections: collectionsView,
  add: (app) => lazyView('Add', () => import('./views/add.ts').then((made) => made.addView(app))),
  graph: graphView,
  health: healthView,
  doc: readerView,
  contents: contentsView,
  access: (app) => lazyView('Access', () => import('./views/access.ts').then((made) => made.accessView(app))),
};

/** A view that few people open is fetched when it is. */
function lazyView(title: string, load: () => Promise<View>): View {
  const element = h('div', {}, busy());
  let loaded: View | undefined;
  let shown = false;
  return {
    element,
    title,
    show(params) {
      shown = true;
      if (loaded) return loaded.show(params);
      load()
        .then((view) => {
          loaded = view;
          replace(element, view.element);
          if (shown) view.show(params);
        })
        .catch((error: unknown) => showError(element, error));
    },
    hide() {
      shown = false;
      loaded?.hide?.();
    },
    onKey: (event) => loaded?.onKey?.(event) ?? false,
  };
}

const status = h('div', { class: 'unseen', attrs: { role: 'status', 'aria-live': 'polite' } });
const main = h('main', { id: 'main', attrs: { tabindex: '-1' } });
const help = helpDialog();
const items = NAV.map((item) => ({
  ...item,
  link: h('a', { attrs: { href: formatHash(item.view) } }, icon(item.icon), h('span', {}, item.label)),
}));
const nav = h('nav', { class: 'nav', attrs: { 'aria-label': 'Views' } }, ...items.map((item) => item.link));
const round = (name: IconName, label: string, onClick: () => void): HTMLElement =>
  h(
    'button',
    { class: 'round', title: label, attrs: { type: 'button', 'aria-label': label }, on: { click: onClick } },
    icon(name),
  );
const leave = round('lock', 'Sign out', () => {
  remember(false);
  void signOut().then(() => location.reload());
});
const header = h(
  'header',
  { class: 'top' },
  h(
    'a',
    { class: 'brand', attrs: { href: '#/search', 'aria-label': 'vai, search' } },
    h('img', { attrs: { src: '/icon.svg', alt: '', width: 26, height: 26 } }),
    h('span', {}, 'vai'),
  ),
  nav,
  h(
    'div',
    { class: 'top-end' },
    themeToggle(() => dispatchEvent(new Event('vai-theme'))),
    round('help', 'Keys (?)', () => help.showModal()),
    leave,
  ),
);

let current: View | undefined;
let views: Partial<Record<ViewName, View>> = {};
let steps = 0;
/** What listens for the views that are open. */
let listening = new AbortController();

/** A key that was revoked or has expired ends in one place, whatever view was asking. */
const way: GateOptions = {
  onOpen: open,
  onRefused(error) {
    if (nav.hidden) return;
    remember(false);
    listening.abort();
    nav.hidden = leave.hidden = true;
    current?.hide?.();
    current = undefined;
    replace(main, gate(way, error));
  },
};

function start(): void {
  nav.hidden = leave.hidden = true;
  replace(document.getElementById('app')!, header, main, status, help);
  followPastedLinks();
  void enter(main, way);
  // The hash belongs to the views, so the skip link moves the focus itself.
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
}

function open({ server, tools, session }: Connection): void {
  const app: App = {
    server,
    tools,
    may: (action) => session.actions.includes(action),
    go: (view, params) => {
      const hash = formatHash(view, params);
      // At once and not by way of an event: the next key may be pressed already.
      if (location.hash !== hash) {
        history.pushState(null, '', hash);
        steps += 1;
      }
      show(app);
    },
    swap: (view, params) => {
      history.replaceState(null, '', formatHash(view, params));
      show(app);
    },
    results: { citations: [] },
    settle: (view, params) => history.replaceState(null, '', formatHash(view, params)),
    back: () => {
      if (steps > 0) history.back();
      return steps > 0;
    },
    announce: (text) => {
      status.textContent = text;
    },
  };
  nav.hidden = leave.hidden = false;
  for (const { view, link } of items) link.hidden = !offered(view, app);
  views = {};
  listening = new AbortController();
  const { signal } = listening;
  const onHash = (): void => {
    steps += 1;
    show(app);
  };
  const onTheme = (): void => {
    // Pictures read their colours once; a fresh view reads them again.
    current?.hide?.();
    delete views.graph;
    delete views.health;
    if (current?.title === 'Graph' || current?.title === 'Health') show(app);
  };
  addEventListener('hashchange', onHash, { signal });
  addEventListener('vai-theme', onTheme, { signal });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onTheme, { signal });
  addEventListener('keydown', (event) => onKey(app, event), { signal });
  show(app);
}

function show(app: App): void {
  const { view, params } = parseHash(location.hash);
  const next = (views[view] ??= MAKERS[view](app));
  if (current !== next) {
    current?.hide?.();
    replace(main, next.element);
    scrollTo(0, 0);
  } else current.hide?.();
  current = next;
  document.title = `${next.title} · vai`;
  for (const item of items) {
    if (item.view === view) item.link.setAttribute('aria-current', 'page');
    else item.link.removeAttribute('aria-current');
  }
  next.show(params);
  // Whoever reads with their ears is told where they are; a view that put the focus somewhere keeps it.
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

function onKey(app: App, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const target = event.target as HTMLElement;
  const typing = target.matches('input:not([type=checkbox]), textarea, select');
  // The search box has the focus at first, and no question begins with its mark.
  if (event.key === '?' && (!typing || target.matches('#query:placeholder-shown'))) {
    event.preventDefault();
    return help.showModal();
  }
  if (typing && !['Escape', 'ArrowDown'].includes(event.key)) return;
  if (current?.onKey?.(event)) event.preventDefault();
  else if (typing) return;
  else if (event.key === '/') {
    event.preventDefault();
    if (parseHash(location.hash).view !== 'search') app.go('search');
    document.querySelector<HTMLInputElement>('#query')?.select();
  } else {
    const item = items[Number(event.key) - 1];
    if (item && /^[1-6]$/.test(event.key) && !item.link.hidden) app.go(item.view);
  }
}

start();
