// The outline beside a document: every heading, and where the reader is among them.

import { h, replace } from '../core/dom.ts';
import type { Heading } from '../core/outline.ts';

export interface OutlineTree {
  element: HTMLElement;
  show(headings: readonly Heading[], line: number): void;
  clear(): void;
  /** Marks the heading the reader is under, now and while the page is scrolled. */
  follow(): void;
  pause(): void;
}

/** What moves the page, beside ourselves. */
const HANDS = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/** Below the bars at the top of the page. */
const TOP = 150;

export function outlineTree(body: HTMLElement): OutlineTree {
  const tree = h('nav', { class: 'tree', attrs: { 'aria-label': 'Headings' } });
  const fold = h(
    'details',
    { class: 'tree-fold', attrs: { open: true } },
    h('summary', {}, 'Headings'),
    tree,
  );
  let links: { line: number; anchor: HTMLAnchorElement }[] = [];
  let waiting = false;
  /** Whether somebody has moved the page by hand: until then the cited or chosen heading is where the reader is. */
  let moved = false;
  const byHand = (): void => {
    moved = true;
  };

  function mark(line: number): void {
    const current = links.findLast((one) => one.line <= line) ?? links[0];
    for (const { anchor } of links) anchor.removeAttribute('aria-current');
    if (!current) return;
    current.anchor.setAttribute('aria-current', 'true');
    // Only inside the list: the page itself must not move.
    const { offsetTop, offsetHeight } = current.anchor;
    if (offsetTop < tree.scrollTop || offsetTop + offsetHeight > tree.scrollTop + tree.clientHeight)
      tree.scrollTop = offsetTop - tree.clientHeight / 3;
  }

  const lineInView = (): number => {
    const rows = body.querySelectorAll<HTMLElement>('[data-line]');
    let [low, high] = [0, rows.length - 1];
    // Rows stand in order, so the last one above the edge is found by halving.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (rows[middle]!.getBoundingClientRect().top <= TOP) low = middle;
      else high = middle - 1;
    }
    return Number(rows[low]?.dataset['line'] ?? 0);
  };

  function link({ title, line }: Heading): HTMLAnchorElement {
    const anchor = h('a', { attrs: { href: location.hash } }, title);
    anchor.addEventListener('click', (event) => {
      event.preventDefault();
      // Near the end of a text a heading cannot come to the top; it is the one that was chosen all the same.
      moved = false;
      mark(line);
      body.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'start' });
    });
    return anchor;
  }

  const onScroll = (): void => {
    if (waiting || !moved) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark(lineInView());
    });
  };

  return {
    element: fold,
    show(headings, line) {
      if (innerWidth <= 1000) fold.removeAttribute('open');
      links = headings.map((heading) => ({ line: heading.line, anchor: link(heading) }));
      fold.hidden = links.length === 0;
      const items = links.map(({ anchor }, at) =>
        h('li', { class: `depth-${Math.min(4, headings[at]!.depth)}` }, anchor),
      );
      replace(tree, h('ul', {}, ...items));
      mark(line);
    },
    clear: () => replace(tree),
    follow() {
      moved = false;
      for (const kind of HANDS) addEventListener(kind, byHand, { passive: true });
      addEventListener('scroll', onScroll, { passive: true });
    },
    pause() {
      for (const kind of HANDS) removeEventListener(kind, byHand);
      removeEventListener('scroll', onScroll);
    },
  };
}
