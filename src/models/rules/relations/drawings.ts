// Diagrams: arrows between boxes, and boxes inside boxes.

import { ABOUT_A_DRAWING, labelName, type Diagram, type DiagramEdge } from '../diagrams/diagram.ts';
import { normalKey } from '../terms/keys.ts';
import { resolveKey, type Term } from '../terms/lexicon.ts';
import type { Mention } from '../terms/mentions.ts';
import { COMMON, verbForm } from '../words/verbs.ts';
import { arrowMeaning } from './labels.ts';
import { mention, sideBySide, verbOf, type Shape, type State } from './statement.ts';

const MAX_DEPTH = 10;

export function readDrawing(state: State, diagram: Diagram, line: number): void {
  const mentions = new Map<string, Mention | undefined>();
  const named = (id: string): Mention | undefined => {
    if (!mentions.has(id)) {
      const box = diagram.nodes.get(id) ?? diagram.groups.get(id);
      const label = box?.label ?? id;
      mentions.set(id, boxName(state, label, box?.line ?? line) ?? boxOf(state, label, box?.line ?? line));
    }
    return mentions.get(id);
  };
  for (const edge of diagram.edges) {
    const [from, to] = [named(edge.from), named(edge.to)];
    if (!from || !to || edge.meaning === 'line') continue;
    say(state, [from, to], edge, 'diagram');
    // An arrow between parts of two boxes also connects the boxes.
    const [around, beyond] = [outer(diagram, edge.from), outer(diagram, edge.to)];
    if (around === beyond) continue;
    const [whole, other] = [
      around === undefined ? from : named(around),
      beyond === undefined ? to : named(beyond),
    ];
    if (whole && other && (whole !== from || other !== to)) say(state, [whole, other], edge, 'group');
  }
  for (const { id, line: at } of diagram.nodes.values()) {
    const around = outer(diagram, id);
    const [part, whole] = [named(id), around === undefined ? undefined : named(around)];
    if (part && whole) say(state, [part, whole], { label: undefined, line: at, meaning: 'part' }, 'group');
  }
}

/** The named box around a box. */
function outer({ nodes, groups }: Diagram, id: string): string | undefined {
  let group = nodes.get(id)?.group ?? groups.get(id)?.group;
  for (let depth = 0; group !== undefined && depth < MAX_DEPTH; depth++) {
    const label = groups.get(group)?.label ?? '';
    if (labelName(label) && !ABOUT_A_DRAWING.test(label)) return group;
    group = groups.get(group)?.group;
  }
  return undefined;
}

function boxName(state: State, label: string, line: number): Mention | undefined {
  const read = labelName(label);
  if (!read) return undefined;
  const own = resolveKey(state.lexicon, normalKey(read.name));
  const also = read.also === undefined ? undefined : resolveKey(state.lexicon, normalKey(read.also));
  // "Cache (Valkey)": the name in brackets wins over an everyday word.
  const term = own && !(also && COMMON.has(read.name.toLowerCase())) ? own : (also ?? own);
  if (!term) return undefined;
  for (const text of [read.name, read.also]) if (text !== undefined) mention(state, { term, text }, line);
  return { term, from: 0, to: 0, text: read.name };
}

/** Steps of a flow chart, not things. */
const STEP = /^(?:start|end|stop|begin|done|finish|yes|no|true|false|error|success|failure)$/;

/** A box labelled with a lower-case word such as "page" is an entity even if the word is no name elsewhere. */
function boxOf(state: State, label: string, line: number): Mention | undefined {
  const verb = verbForm(label);
  if (!/^[a-z][a-z0-9_-]{2,30}$/.test(label) || STEP.test(label) || (verb && verb.verb > 0.5))
    return undefined;
  const term: Term = {
    key: normalKey(label),
    name: label,
    level: 0,
    kinds: [],
    marked: true,
    capitalOnly: false,
    concept: true,
    weak: true,
  };
  mention(state, { term, text: label }, line);
  return { term, from: 0, to: 0, text: label };
}

function say(
  state: State,
  [from, to]: readonly [Mention, Mention],
  edge: Pick<DiagramEdge, 'label' | 'line' | 'meaning'>,
  shape: Shape,
): void {
  // A box "X store" inside the box "X" is X.
  if (
    from.term.key === to.term.key ||
    (edge.meaning === 'part' && from.term.name.startsWith(`${to.term.name} `))
  )
    return;
  const { label, line, meaning } = edge;
  const verb = verbOf(meaning === 'extends' ? 'extend' : meaning === 'part' ? 'belong' : 'use');
  const sentence = `${from.text} → ${to.text}${label ? `: ${label}` : ''}`;
  const preposition = meaning === 'part' ? 'to' : undefined;
  const told = meaning === 'arrow' && label !== undefined ? arrowMeaning(label) : undefined;
  state.out.statements.push(
    sideBySide([from, to], {
      shape,
      verb,
      noun: label,
      preposition,
      line,
      sentence,
      ...(told ? { meaning: told } : {}),
    }),
  );
}
