// Which way of searching serves a collection best, as bars with their figures.

import { h } from '../core/dom.ts';
import { milliseconds, plural } from '../core/format.ts';
import { bar, row, table } from './figures.ts';

export interface Evaluation {
  questions: number;
  modes: { mode: string; ndcg10: number; recall5: number; msPerQuery: number }[];
  best: string;
}

export function evaluationChart({ questions, modes, best }: Evaluation): HTMLElement {
  const rows = modes.map(({ mode, ndcg10, recall5, msPerQuery }) => {
    const cells = [
      h('td', { class: 'bar-cell' }, bar(Math.round(ndcg10 * 100))),
      ndcg10.toFixed(2),
      `${Math.round(recall5 * 100)} %`,
      milliseconds(msPerQuery),
    ];
    return row(mode === 'rerank' ? 'hybrid, reranked' : mode, cells, { class: mode === best ? 'best' : '' });
  });
  const caption = h(
    'caption',
    {},
    `${plural(questions, 'question')} made from its headings. Best here: ${best === 'rerank' ? 'hybrid, reranked' : best}.`,
  );
  const heads = ['Method', '', 'nDCG@10', 'Found in 5', 'Per question'];
  return table({ label: 'Evaluation', heads, className: 'evaluation', caption }, rows);
}
