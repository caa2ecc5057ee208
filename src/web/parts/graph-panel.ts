// The words beside the picture: an entity with its relations, a relation, a trace or a path, each with the lines that
// say so.

import { citationKey } from '../core/citation.ts';
import { button, h, hint, link, type Child } from '../core/dom.ts';
import { plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import type { Direction, PathAnswer, TraceAnswer } from './graph-load.ts';
import { relationsOf, type Entity, type Evidence, type GraphModel, type Relation } from './graph-model.ts';

const SHOWN = 40;

export interface PanelActions {
  open: (name: string) => void;
  trace: (name: string, direction: Direction) => void;
  pathFrom: (name: string) => void;
  colourOf: (type: string) => string;
}

export function entityPanel(model: GraphModel, entity: Entity, actions: PanelActions): HTMLElement {
  const relations = relationsOf(model, entity.name);
  return h(
    'div',
    { class: 'graph-card' },
    h('p', { class: 'trail' }, dot(actions.colourOf(entity.type)), typeLabel(entity.type)),
    h('h2', { attrs: { tabindex: '-1' } }, entity.name),
    entity.description ? h('p', {}, entity.description) : null,
    h(
      'p',
      { class: 'actions' },
      button('Trace upstream', () => actions.trace(entity.name, 'upstream'), { class: 'quiet' }),
      button('Trace downstream', () => actions.trace(entity.name, 'downstream'), { class: 'quiet' }),
      button('Impact', () => actions.trace(entity.name, 'impact'), { class: 'quiet' }),
      button('Path from here', () => actions.pathFrom(entity.name), { class: 'quiet' }),
    ),
    evidenceList(entity.evidence, entity.evidenceTotal),
    relations.length ? h('h3', {}, plural(relations.length, 'relation')) : null,
    h(
      'ul',
      { class: 'relations' },
      ...relations.slice(0, SHOWN).map((one) => relationRow(one, actions, entity.name)),
    ),
  );
}

export function relationPanel(relation: Relation, actions: PanelActions): HTMLElement {
  return h(
    'div',
    { class: 'graph-card' },
    h('p', { class: 'trail' }, 'Relation'),
    h(
      'h2',
      { attrs: { tabindex: '-1' } },
      `${relation.source} ${relationLabel(relation.type)} ${relation.target}`,
    ),
    relation.description ? h('p', {}, relation.description) : null,
    h(
      'p',
      { class: 'actions' },
      ...[relation.source, relation.target].map((name) =>
        button(name, () => actions.open(name), { class: 'quiet' }),
      ),
    ),
    evidenceList(relation.evidence, relation.evidenceTotal),
  );
}

export function tracePanel(trace: TraceAnswer, actions: PanelActions): HTMLElement {
  const reached = trace.nodes.length - 1;
  const isImpact = trace.direction === 'impact';
  const many = `${plural(reached, 'entity').replace(/ys$/, 'ies')} ${isImpact ? 'affected if it fails, ' : ''}within ${plural(trace.depthReached, 'step')}${trace.truncated ? ', cut short' : ''}.`;
  const none = isImpact
    ? 'The texts state nothing that would be affected if it fails.'
    : `Nothing lies ${trace.direction} of it.`;
  return drawnPanel(
    isImpact ? 'Impact' : `Trace ${trace.direction}`,
    trace.resolved.name,
    reached > 0 ? many : none,
    trace.edges.map((edge) => {
      const row = relationRow({ ...edge, description: '' }, actions);
      row.classList.add(`depth-${Math.min(4, edge.depth)}`);
      return row;
    }),
  );
}

export function pathPanel(path: PathAnswer, actions: PanelActions): HTMLElement {
  const words = path.found
    ? `${plural(path.length, 'step')}${path.directed === false ? ', some against the arrows' : ''}.`
    : `No path of at most ${plural(path.searchedDepth, 'step')}.`;
  return drawnPanel(
    'Path',
    `${path.from.name} → ${path.to.name}`,
    words,
    path.edges.map((edge) => relationRow({ ...edge, description: '' }, actions)),
  );
}

function drawnPanel(kind: string, title: string, words: string, rows: HTMLElement[]): HTMLElement {
  return h(
    'div',
    { class: 'graph-card' },
    h('p', { class: 'trail' }, kind),
    h('h2', { attrs: { tabindex: '-1' } }, title),
    h('p', {}, words),
    h('ul', { class: 'relations' }, ...rows.slice(0, SHOWN)),
  );
}

function relationRow(relation: Relation, actions: PanelActions, around?: string): HTMLElement {
  const end = (name: string): Child =>
    name === around
      ? h('span', { class: 'self' }, name)
      : button(name, () => actions.open(name), { class: 'linkish' });
  const first = relation.evidence[0];
  return h(
    'li',
    {},
    h(
      'span',
      { class: 'relation' },
      end(relation.source),
      h('span', { class: 'type' }, ` ${relationLabel(relation.type)} `),
      end(relation.target),
    ),
    first ? evidenceLink(first) : null,
  );
}

function evidenceList(evidence: readonly Evidence[], total: number): HTMLElement | null {
  if (evidence.length === 0) return null;
  const more = total - evidence.length;
  return h(
    'div',
    { class: 'evidence' },
    h('h3', {}, 'Mentioned in'),
    h('ul', {}, ...evidence.map((one) => h('li', {}, evidenceLink(one)))),
    more > 0 ? hint(`and ${plural(more, 'more place')}`) : null,
  );
}

function evidenceLink(one: Evidence): HTMLElement {
  return link(citationKey(one.citation), formatHash('doc', { cite: one.citation }), { class: 'cite' });
}

export function dot(colour: string): HTMLElement {
  const element = h('span', { class: 'dot', attrs: { 'aria-hidden': 'true' } });
  element.style.backgroundColor = colour;
  return element;
}

export const typeLabel = (type: string): string => type.toLowerCase().replaceAll('_', ' ');

/** A relation that has no type of its own is still one. */
export const relationLabel = (type: string): string => (type === 'OTHER' ? 'is related to' : typeLabel(type));
