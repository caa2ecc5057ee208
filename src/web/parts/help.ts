// The list of keys, on demand.

import { button, h } from '../core/dom.ts';

const KEYS: [string, string][] = [
  ['/', 'to the search box'],
  ['↓ ↑', 'through the results'],
  ['← →', 'from column to column'],
  ['Enter', 'open the document around a result'],
  ['Escape', 'back; clear and leave the search box'],
  ['1 … 6', 'search, collections, add, graph, health, access'],
  ['+ − 0', 'zoom the graph, fit it'],
  ['?', 'show this help (in the search box: while it is empty)'],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h(
    'dialog',
    { class: 'help', attrs: { 'aria-labelledby': 'help-title' } },
    h('h2', { id: 'help-title' }, 'Keys'),
    h(
      'dl',
      {},
      ...KEYS.map(([key, what]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, what))),
    ),
  );
  dialog.append(button('Close', () => dialog.close(), { class: 'quiet', attrs: { autofocus: true } }));
  return dialog;
}
