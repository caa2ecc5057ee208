// One result in the list: where it stands, what it says, and how sure the search is of it.

import { parseCitation } from '../core/citation.ts';
import { h, link } from '../core/dom.ts';
import { excerpt } from '../core/excerpt.ts';
import { ago } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { queryWords } from '../core/highlight.ts';
import { marked } from './lines.ts';
import type { Hit } from './retrieve.ts';

export function result(hit: Hit, query: string): HTMLElement {
  const words = queryWords(query);
  const place = parseCitation(hit.citation);
  const title = titleOf(hit);
  const shown = excerpt(hit.content, { words, title });
  // A document without a title is called by its file name, which the citation below shows.
  const file = place?.path.split('/').at(-1);
  const above = [hit.title, ...hit.headingPath.slice(0, -1)].filter(
    (name) => name !== title && name !== file,
  );
  const trail = [...new Set([place?.collection, ...above])].filter(Boolean).join(' › ');
  return h(
    'article',
    { class: 'card result', data: { key: hit.key } },
    h('p', { class: 'trail' }, trail, badges(hit)),
    h('h3', {}, opener(hit, query, marked(title, words))),
    shown.text
      ? h(
          shown.isCode ? 'pre' : 'p',
          { class: shown.isCode ? 'excerpt code' : 'excerpt' },
          marked(shown.text, words),
        )
      : null,
    h('p', { class: 'cite', title: hit.citation }, hit.key),
  );
}

/** The heading the passage stands under; a chunk without one is known by its document. */
export function titleOf(hit: Hit): string {
  return hit.headingPath.at(-1) ?? hit.title;
}

export function opener(hit: Hit, query: string, label: Node): HTMLElement {
  return h(
    'a',
    { class: 'card-link', attrs: { href: formatHash('doc', { cite: hit.citation, q: query }) } },
    label,
  );
}

export function entityChips(names: readonly string[]): HTMLElement {
  return h(
    'p',
    { class: 'chips' },
    ...names.slice(0, 4).map((name) => link(name, formatHash('graph', { e: name }), { class: 'chip' })),
  );
}

function badges(hit: Hit): HTMLElement {
  const words = hit.relevance === undefined ? '' : inWords(hit.relevance);
  return h(
    'span',
    { class: 'badges' },
    hit.fetchedAt
      ? h('span', { class: 'badge age', title: `Fetched ${hit.fetchedAt}` }, ago(hit.fetchedAt, Date.now()))
      : null,
    hit.version ? h('span', { class: 'badge', title: 'Version of the documentation' }, hit.version) : null,
    words
      ? h(
          'span',
          { class: `badge relevance-${words}`, title: `Relevance ${hit.relevance!.toFixed(2)} of 1` },
          words,
        )
      : null,
  );
}

/** A calibrated probability as a person says it. */
function inWords(relevance: number): 'strong' | 'fair' | 'weak' {
  if (relevance >= 0.35) return 'strong';
  return relevance >= 0.2 ? 'fair' : 'weak';
}
