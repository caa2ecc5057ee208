// One passage in a column: what it is, where it stands, the lines that match, and what each retriever thinks of it.

import { parseCitation } from '../core/citation.ts';
import { h, link } from '../core/dom.ts';
import { score } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { bestLines, queryWords } from '../core/highlight.ts';
import { lineRow, marked } from './lines.ts';
import { ABOUT, type Hit, type Method } from './retrieve.ts';

const SHOWN_LINES = 5;

export interface CardContext {
  query: string;
  /** Scores of the same passage in the other columns, as far as they hold it. */
  scores: ReadonlyMap<Method, number>;
}

export function card(hit: Hit, method: Method, { query, scores }: CardContext): HTMLElement {
  const words = queryWords(query);
  const place = parseCitation(hit.citation);
  const lines = bestLines(hit.content, { start: place?.start ?? 1, words, count: SHOWN_LINES });
  const title = hit.headingPath.at(-1) ?? hit.title;
  const trail = [place?.collection ?? '', ...hit.headingPath.slice(0, -1)].filter(Boolean);
  const opener = h('a', {
    class: 'card-link',
    attrs: { href: formatHash('doc', { cite: hit.citation, q: query }) },
  });
  opener.append(marked(title, words));
  return h(
    'article',
    { class: 'card', data: { key: hit.key } },
    h('p', { class: 'trail' }, trail.join(' › ')),
    h('h3', {}, opener),
    h('div', { class: 'snippet' }, ...lines.map((line) => lineRow(line, { words }))),
    hit.entities.length ? entityChips(hit.entities) : null,
    scoreBars(method, hit, scores),
    h('p', { class: 'cite' }, hit.citation),
  );
}

function scoreBars(method: Method, hit: Hit, scores: ReadonlyMap<Method, number>): HTMLElement {
  const own: [Method, number][] = [[method, hit.score]];
  const rows = method === 'hybrid' ? [...own, ...[...scores].filter(([name]) => name !== 'hybrid')] : own;
  return h(
    'dl',
    { class: 'scores' },
    ...rows.map(([name, value]) => {
      const bar = h('span', { class: 'bar', attrs: { 'aria-hidden': 'true' } });
      bar.style.setProperty('--part', `${Math.round(Math.min(1, Math.max(0, value)) * 100)}%`);
      return h(
        'div',
        { class: name === 'hybrid' ? 'own' : '' },
        h('dt', {}, method === name && name !== 'hybrid' ? 'Score' : ABOUT[name].label),
        h('dd', {}, bar, score(value)),
      );
    }),
  );
}

function entityChips(names: readonly string[]): HTMLElement {
  return h(
    'p',
    { class: 'chips' },
    ...names.slice(0, 4).map((name) => link(name, formatHash('graph', { e: name }), { class: 'chip' })),
  );
}
