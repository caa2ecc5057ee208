// Which way of searching serves a collection best, as bars with their figures.

import { h } from '../core/dom.ts';
import { milliseconds, plural } from '../core/format.ts';

export interface Evaluation {
  questions: number;
  modes: { mode: string; ndcg10: number; recall5: number; msPerQuery: number }[];
  best: string;
}

export function evaluationChart({ questions, modes, best }: Evaluation): HTMLElement {
  const rows = modes.map(({ mode, ndcg10, recall5, msPerQuery }) => {
    const part = h('span', { class: 'bar', attrs: { 'aria-hidden': 'true' } });
    part.style.setProperty('--part', `${Math.round(ndcg10 * 100)}%`);
    const cell = (text: string): HTMLElement => h('td', {}, text);
    return h(
      'tr',
      { class: mode === best ? 'best' : '' },
      h('th', { attrs: { scope: 'row' } }, mode === 'rerank' ? 'hybrid, reranked' : mode),
      h('td', { class: 'bar-cell' }, part),
      cell(ndcg10.toFixed(2)),
      cell(`${Math.round(recall5 * 100)} %`),
      cell(milliseconds(msPerQuery)),
    );
  });
  return h(
    'div',
    { class: 'scroll', attrs: { tabindex: '0', role: 'region', 'aria-label': 'Evaluation' } },
    h(
      'table',
      { class: 'evaluation' },
      h(
        'caption',
        {},
        `${plural(questions, 'question')} made from its headings. Best here: ${best === 'rerank' ? 'hybrid, reranked' : best}.`,
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { attrs: { scope: 'col' } }, 'Method'),
          h('td', {}),
          ...['nDCG@10', 'Found in 5', 'Per question'].map((name) =>
            h('th', { attrs: { scope: 'col' } }, name),
          ),
        ),
      ),
      h('tbody', {}, ...rows),
    ),
  );
}
