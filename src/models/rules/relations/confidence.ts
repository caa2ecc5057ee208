// How certain a statement is, given how it was found: a logistic model with weights fitted to statements judged by hand
// (weights.ts).

import { COMMON } from '../words/verbs.ts';
import type { Term } from '../terms/lexicon.ts';
import type { Meaning } from './meanings.ts';
import type { Statement } from './statement.ts';
import { RELATION_WEIGHTS } from './weights.ts';

type Feature = keyof typeof RELATION_WEIGHTS;

const PREPOSITIONS: Record<string, Feature> = {
  of: 'of',
  for: 'for',
  in: 'in',
  on: 'in',
  at: 'in',
  within: 'in',
  inside: 'in',
  to: 'to',
  into: 'to',
  onto: 'to',
  from: 'from',
  with: 'with',
  via: 'with',
  through: 'with',
  using: 'with',
  over: 'with',
  by: 'by',
};

/** For an arrow of a diagram, and for what only its enclosing boxes suggest. */
const DRAWN = 0.95;
const AROUND = 0.7;

export function confidenceOf(statement: Statement, meaning: Meaning): number {
  if (statement.shape === 'diagram' || statement.shape === 'label') return DRAWN;
  if (statement.shape === 'group') return AROUND;
  return Math.round(100 / (1 + Math.exp(-evidenceFor(statement, meaning)))) / 100;
}

/** The sum of the weights of the features a statement has. */
function evidenceFor(statement: Statement, meaning: Meaning): number {
  const { subject, verb, shape, preposition } = statement;
  let sum = RELATION_WEIGHTS.bias;
  const add = (feature: Feature, value: number) => (sum += value * RELATION_WEIGHTS[feature]);
  const set = (feature: Feature, on: boolean) => {
    if (on) sum += RELATION_WEIGHTS[feature];
  };
  if (shape === 'item' || shape === 'lead' || shape === 'cell' || shape === 'column') set(shape, true);
  if (subject.via !== 'direct') set(subject.via, true);
  set('subjectModifier', !subject.head);
  set('objectModifier', !statement.objectHead);
  set('clear2', meaning.clear === 2);
  set('other', meaning.kind === 'OTHER');
  set('partOf', meaning.kind === 'PART_OF');
  set('extends', meaning.kind === 'EXTENDS' || meaning.kind === 'IS');
  set('reads', meaning.kind === 'READS');
  set('be', verb.lemma === 'be' && !verb.passive);
  set('have', verb.lemma === 'have');
  set('passive', verb.passive);
  set('modal', verb.modal !== undefined);
  set('past', verb.past);
  set('ing', verb.form === 'ing');
  set('infinitive', verb.form === 'infinitive');
  set('participle', verb.form === 'participle');
  set(
    'imperative',
    verb.plain && (subject.via === 'implied' || subject.via === 'carried') && shape !== 'sentence',
  );
  set(preposition === undefined ? 'noPreposition' : (PREPOSITIONS[preposition] ?? 'otherPreposition'), true);
  set('indirectBy', subject.via === 'indirect' && preposition === 'by');
  set('vagueModifier', !statement.objectHead && meaning.clear < 2 && preposition !== undefined);
  set('vagueOf', meaning.clear < 2 && statement.steps > 1 && preposition !== undefined);
  const vague = meaning.clear < 2 && (shape === 'sentence' || shape === 'item');
  const weakest = Math.min(subject.mention.term.level, statement.object.term.level);
  set('vagueFar', vague && statement.steps > 2);
  set('vagueSubjectModifier', vague && !subject.head);
  set('vagueWeak', vague && weakest < -0.5);
  set('vagueCarried', vague && verb.form === 'ing' && subject.via === 'carried');
  set('vaguePassive', vague && verb.passive && preposition !== undefined && statement.steps > 1);
  set('steps2', statement.steps === 2);
  set('steps3', statement.steps > 2);
  add('distance', Math.log1p(Math.max(0, statement.distance)));
  add('lead_', Math.log1p(statement.lead));
  add('commas', Math.min(3, statement.commas) / 3);
  set('listed', statement.joined);
  add('length', Math.max(0, Math.log(statement.length + 1) - 2.5));
  add('clauses', Math.min(6, statement.clauses) / 6);
  set('noun', statement.noun !== undefined);
  add('subjectLevel', subject.mention.term.level / 4);
  add('objectLevel', statement.object.term.level / 4);
  set('subjectCommon', isCommon(subject.mention.term));
  set('objectCommon', isCommon(statement.object.term));
  return sum;
}

function isCommon({ name }: Term): boolean {
  return COMMON.has(name.toLowerCase());
}
