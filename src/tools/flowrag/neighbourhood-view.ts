// An entity and what it is related to: drawn, and below it every relation with the lines that state it.

import { defineView } from '../shared/view.ts';

export const neighbourhoodView = defineView({
  path: 'vai/neighbourhood',
  title: 'An entity and its relations',
  script: String.raw`
const MOST = 16;
const draw = (tag, attributes, text) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
};
const short = (name) => {
  const letters = [...String(name)];
  return letters.length > 22 ? letters.slice(0, 21).join('') + '…' : letters.join('');
};
function picture(name, relations) {
  const others = [...new Set(relations.map((one) => String(one.source === name ? one.target : one.source)))];
  const shown = others.filter((other) => other !== name).slice(0, MOST);
  const svg = draw('svg', { viewBox: '0 0 680 380', role: 'img' });
  svg.append(draw('title', {}, name + ' and ' + shown.length + ' of ' + others.length + ' neighbours'));
  const places = shown.map((other, at) => {
    const angle = (2 * Math.PI * at) / shown.length - Math.PI / 2;
    return { other, x: 340 + 240 * Math.cos(angle), y: 190 + 155 * Math.sin(angle) };
  });
  for (const { other, x, y } of places) {
    const between = relations.filter((one) => one.source === other || one.target === other);
    const stated = between.some((one) => one.stated !== false);
    svg.append(draw('line', { x1: 340, y1: 190, x2: x, y2: y, class: stated ? 'stated' : 'near' }));
    const types = [...new Set(between.map((one) => String(one.type)))].join(', ');
    svg.append(draw('text', { x: (340 + x) / 2, y: (190 + y) / 2, class: 'type' }, short(types)));
  }
  for (const { other, x, y } of [...places, { other: name, x: 340, y: 190 }]) {
    const node = draw('g', { class: other === name ? 'node centre' : 'node' });
    const label = short(other);
    const width = 16 + 7.2 * [...label].length;
    node.append(draw('title', {}, other));
    node.append(draw('rect', { x: x - width / 2, y: y - 13, width, height: 26, rx: 13 }));
    node.append(draw('text', { x, y: y + 4 }, label));
    svg.append(node);
  }
  return svg;
}
function render({ resolved, relations, total }) {
  if (!resolved || !Array.isArray(relations)) return undefined;
  const name = String(resolved.name);
  const rows = make('ul');
  for (const one of relations) {
    const row = make('li', '', one.source + ' ' + one.type + ' ' + one.target);
    for (const { citation } of list(one.evidence)) if (citation) row.append(make('small', '', citation));
    rows.append(row);
  }
  const count = make('p', '', relations.length + ' of ' + total + ' relations');
  return [make('h2', '', name), count, ...(relations.length > 0 ? [picture(name, relations)] : []), rows];
}
`,
  style: `
svg { width: 100%; max-width: 900px; height: auto; display: block; }
line { stroke: #888; }
.near { stroke-dasharray: 4 4; }
rect { fill: Canvas; stroke: #888; }
.centre rect { fill: #2563eb; stroke: #2563eb; }
text { fill: CanvasText; font-size: 12px; text-anchor: middle; }
.centre text { fill: #fff; }
.type { font-size: 10px; opacity: 0.7; paint-order: stroke; stroke: Canvas; stroke-width: 3px; }
ul { margin: 8px 0 0; padding-left: 1.2em; }
li { overflow-wrap: anywhere; }
small { display: block; opacity: 0.7; }
`,
});
