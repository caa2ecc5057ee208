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
  const label = ({ mode }: { mode: string }): string => (mode === 'rerank' ? 'hybrid, reranked' : mode);
  // As far as the figures tell: they are shown with two digits.
  const top = modes.find(({ mode }) => mode === best)?.ndcg10.toFixed(2);
  const equal = modes.filter(({ ndcg10 }) => ndcg10.toFixed(2) === top);
  const winners = equal.length < modes.length || modes.length === 1 ? equal : [];
  const rows = modes.map((one) => {
    const { ndcg10, recall5, msPerQuery } = one;
    const cells = [
      h('td', { class: 'bar-cell' }, bar(Math.round(ndcg10 * 100))),
      ndcg10.toFixed(2),
      `${Math.round(recall5 * 100)} %`,
      milliseconds(msPerQuery),
    ];
    return row(label(one), cells, { class: winners.includes(one) ? 'best' : '' });
  });
  const caption = h(
    'caption',
    {},
    `${plural(questions, 'question')} made from its headings. ${
      winners.length ? `Best here: ${winners.map(label).join('; ')}.` : 'All methods do equally well.'
    }`,
  );
  const heads = ['Method', '', 'nDCG@10', 'Found in 5', 'Per question'];
  return table({ label: 'Evaluation', heads, className: 'evaluation', caption }, rows);
}
