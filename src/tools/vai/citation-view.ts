// A citation with its lines: what vai_get opened, each line with its number in the document.

import { defineView } from '../shared/view.ts';

export const citationView = defineView({
  path: 'vai/citation',
  title: 'A citation with its lines',
  script: String.raw`
function render({ passages }) {
  if (!Array.isArray(passages)) return undefined;
  return passages.map((passage) => {
    const section = make('section');
    section.append(make('h2', '', passage.citation));
    const where = [passage.title, ...list(passage.headingPath)].filter((name, at, all) => name !== all[at - 1]);
    section.append(make('p', '', where.join(' › ') + ' — lines ' + passage.lines + ' of ' + passage.totalLines));
    const first = parseInt(passage.lines, 10) || 1;
    const lines = make('ol');
    lines.start = first;
    for (const line of String(passage.content).split('\n')) lines.append(make('li', '', line));
    section.append(lines);
    return section;
  });
}
`,
  style: `
section + section { margin-top: 16px; }
ol { margin: 0; padding-left: 4.5em; font: 13px/1.5 ui-monospace, monospace; border-left: 3px solid #8886; }
li { white-space: pre-wrap; overflow-wrap: anywhere; }
li::marker { color: #888; }
`,
});
