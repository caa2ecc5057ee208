// One passage in a column: what it is, where it stands, the lines that match, and what each retriever thinks of it.

import { parseCitation } from '../core/citation.ts';
import { h } from '../core/dom.ts';
import { score } from '../core/format.ts';
import { bestLines, queryWords } from '../core/highlight.ts';
import { bar } from './figures.ts';
import { lineRow, marked } from './lines.ts';
import { entityChips, opener, titleOf } from './result.ts';
import { ABOUT, type Hit, type Method } from './retrieve.ts';

const SHOWN_LINES = 5;

export interface CardContext {
  query: string;
  /** Scores of the same passage in every column; undefined where a column does not hold it. */
  scores: ReadonlyMap<Method, number | undefined>;
}

export function card(hit: Hit, method: Method, { query, scores }: CardContext): HTMLElement {
  const words = queryWords(query);
  const place = parseCitation(hit.citation);
  const title = titleOf(hit);
  const { text, skipped } = withoutHeading(hit.content, title);
  const lines = bestLines(text, { start: (place?.start ?? 1) + skipped, words, count: SHOWN_LINES });
  const trail = [place?.collection ?? '', ...hit.headingPath.slice(0, -1)].filter(Boolean);
  return h(
    'article',
    { class: 'card', data: { key: hit.key } },
    h('p', { class: 'trail' }, trail.join(' › ')),
    h('h3', {}, opener(hit, query, marked(title, words))),
    h('div', { class: 'snippet' }, ...lines.map((line) => lineRow(line, words))),
    hit.entities.length ? entityChips(hit.entities) : null,
    scoreBars(method, hit, scores),
    h('p', { class: 'cite', title: hit.citation }, hit.key),
  );
}

/** The title stands above the lines already; repeating it would cost one. */
function withoutHeading(content: string, title: string): { text: string; skipped: number } {
  const lines = content.split('\n');
  const isTitle = /^#{1,6}\s/.test(lines[0] ?? '') && lines[0]!.includes(title);
  const from = isTitle ? lines.findIndex((line, at) => at > 0 && line.trim() !== '') : 0;
  return from > 0 ? { text: lines.slice(from).join('\n'), skipped: from } : { text: content, skipped: 0 };
}

function scoreBars(method: Method, hit: Hit, scores: CardContext['scores']): HTMLElement {
  const own: [Method, number | undefined][] = [[method, hit.score]];
  const rows = method === 'hybrid' ? [...own, ...[...scores].filter(([name]) => name !== 'hybrid')] : own;
  return h(
    'dl',
    { class: 'scores' },
    ...rows.map(([name, value]) => {
      const percent = Math.round(Math.min(1, Math.max(0, value ?? 0)) * 100);
      return h(
        'div',
        { class: name === 'hybrid' ? 'own' : '' },
        h('dt', {}, method === name && name !== 'hybrid' ? 'Score' : ABOUT[name].label),
        h('dd', {}, bar(percent), value === undefined ? '–' : score(value)),
      );
    }),
  );
}
