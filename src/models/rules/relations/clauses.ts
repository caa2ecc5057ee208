// Finds who does what to whom in a sentence. Clauses are read from left to right: a subject, its verb, its objects and
// their prepositions. Each result records how it was found; confidence.ts decides how certain that makes it.

import { PEOPLE } from '../terms/generic.ts';
import type { Mention } from '../terms/mentions.ts';
import { CONDITION } from '../words/closed.ts';
import { isDoubtful, type Chunk, type Chunked, type NounPhrase, type VerbGroup } from './chunks.ts';
import {
  as,
  EXCLUDING,
  noJoint,
  plainly,
  openClause,
  openReader,
  type Actor,
  type Clause,
  type ClauseContext,
  type Found,
  type OpenEnd,
  type Reader,
  type Via,
} from './clause.ts';
import { readNounPhrase } from './nouns.ts';

export interface ReadClauses {
  found: Found[];
  /** Whom the sentence is about: what a pronoun in the next one means. */
  topic: Mention[];
  open: OpenEnd;
}

export function readClauses(chunked: Chunked, context: ClauseContext): ReadClauses {
  const reader = openReader(chunked, context);
  let topic: Mention[] | undefined;
  for (const [at, chunk] of chunked.chunks.entries()) {
    step(reader, chunk, at);
    const { verb, dependent, subjects } = reader.clause;
    const heads = verb ? subjects.filter((actor) => actor.head) : [];
    if (heads.length > 0 && !reader.ownTopic) {
      reader.topic = as(heads, 'pronoun');
      reader.ownTopic = true;
    }
    if (topic === undefined && verb && !dependent && subjects.length > 0)
      topic = heads.map((actor) => actor.mention);
  }
  return { found: reader.found, topic: topic ?? [], open: reader.listing ?? openEnd(reader) };
}

function openEnd({ clause, joint, about }: Reader): OpenEnd {
  const { subjects, verb, noun, lastObject, condition } = clause;
  return {
    subjects,
    verb,
    noun,
    preposition: joint.preposition ?? lastObject?.preposition,
    condition,
    about,
  };
}

function step(reader: Reader, chunk: Chunk, at: number): void {
  const { joint, clause } = reader;
  switch (chunk.kind) {
    case 'mark':
      readMark(reader, chunk.word);
      return;
    case 'conj':
      joint.conj = true;
      return;
    case 'neg':
      // "but not X", "not a separate component"
      clause.lastObject = undefined;
      openClause(reader, clause.subjects, clause.subjectEnd).condition = true;
      return;
    case 'prep':
      joint.preposition = chunk.word;
      return;
    case 'adj':
      if (clause.verb) clause.adjective = chunk.word;
      return;
    case 'sub':
      readSubordinator(reader, chunk.word);
      break;
    case 'rel':
      readRelative(reader, chunk.word === 'that' && isBehindName(reader, at - 1));
      break;
    case 'np':
      readNounPhrase(reader, chunk);
      break;
    case 'vg':
      readVerb(reader, chunk, at);
      break;
  }
  reader.joint = noJoint();
}

const ENDS_CLAUSE = new Set([';', ':', '—', '–', '-', '.', '?', '!', '|']);

function readMark(reader: Reader, word: string): void {
  const { joint, clause } = reader;
  if (word === ',') {
    joint.comma = true;
    // "signs up, …": a preposition with nothing behind it belonged to its verb.
    joint.preposition = undefined;
    clause.commas += 1;
    if (clause.dependent && clause.verb) openClause(reader, []);
    return;
  }
  if (word === '(' || word === '[') {
    reader.outer.push(clause);
    // "(stored in Y)" says it of what stands before the bracket.
    const inner = openClause(reader, as(reader.last?.actors ?? [], 'relative'));
    inner.condition = clause.condition || (clause.verb !== undefined && isDoubtful(clause.verb));
  } else if (word === ')' || word === ']') reader.clause = reader.outer.pop() ?? clause;
  // What follows a dash or colon may go on with the same subject: "X: stores …".
  else if (ENDS_CLAUSE.has(word)) openClause(reader, clause.verb ? [] : as(clause.subjects, 'implied'));
  else return;
  reader.joint = noJoint();
}

function readSubordinator(reader: Reader, word: string): void {
  const { clause } = reader;
  const complement = word === 'that';
  // "is required when running Y": somebody else runs it.
  const carries = !complement && word !== 'how' && !clause.verb?.passive;
  const next = openClause(reader, carries ? as(clause.subjects, 'carried') : []);
  next.condition = CONDITION.has(word) || (complement && clause.condition);
  next.dependent = !complement && clause.verb === undefined;
}

/** "the API of X that …": the clause describes the API, not X. */
function readRelative(reader: Reader, ofNoun: boolean): void {
  const { clause, last, joint } = reader;
  const actors = ofNoun && !joint.comma ? [] : (last?.actors ?? []);
  openClause(reader, as(actors, 'relative'), last?.np.to).condition = clause.condition;
}

function readVerb(reader: Reader, given: VerbGroup, at: number): void {
  const { joint, last, clause } = reader;
  const verb = inherited(clause, given, joint.conj);
  const previous = reader.chunked.chunks[at - 1];
  const subject =
    previous?.kind === 'np' && last?.np === previous ? { np: previous, actors: last.actors } : undefined;
  const next = verb.form === 'finite' ? finite(reader, subject) : dependent(reader, verb, subject, at);
  // "There is an X" has no subject.
  if (reader.chunked.tokens[verb.from]!.lower === 'there') next.subjects = [];
  next.condition ||= joint.preposition !== undefined && EXCLUDING.has(joint.preposition);
  next.verb = verb;
  next.adjective = undefined;
  next.noun = undefined;
  next.steps = 0;
  next.commas = 0;
  next.lastObject = undefined;
  if (verb.lemma === 'use' && verb.passive && verb.form === 'finite') usedBy(reader, at);
}

/** "X is used to cache …" in the section of Y: Y uses it, unless the sentence names another user. */
function usedBy(reader: Reader, at: number): void {
  const { clause, chunked, context } = reader;
  const next = chunked.chunks[at + 1];
  const purpose =
    (next?.kind === 'vg' && next.form === 'infinitive') || (next?.kind === 'prep' && next.word === 'for');
  const named = chunked.chunks.some(
    ({ kind, from }, other) => kind === 'prep' && other > at && chunked.tokens[from]!.lower === 'by',
  );
  if (!purpose || named || isDoubtful(clause.verb!) || clause.condition) return;
  for (const { mention, via, head } of clause.subjects) {
    const user = context.around.find(({ term }) => term.key !== mention.term.key);
    if (user && head && (via === 'direct' || via === 'joined' || via === 'pronoun'))
      reader.found.push({
        ...plainly({ mention: user, via: 'section', head: true }, mention, {
          ...clause.verb!,
          passive: false,
        }),
        joined: via === 'joined',
        clauses: clause.number,
      });
  }
}

type Before = { np: NounPhrase; actors: Actor[] } | undefined;

/** The clause a finite verb belongs to. */
function finite(reader: Reader, before: Before): Clause {
  const { clause, joint } = reader;
  if (!clause.verb) return clause;
  // "Creating X in Y requires …": the subject is the gerund, not a name.
  if (before && !joint.comma && !joint.conj && isGerund(reader)) return openClause(reader, []);
  if (before) {
    // "… and Y does": the noun right before a finite verb is its subject, not an object of the clause before.
    retract(reader, before.np);
    const next = openClause(reader, before.actors, before.np.to);
    next.condition = clause.condition && !joint.comma && before.np.pronoun === undefined;
    return next;
  }
  const subjects = clause.subjects.map((actor): Actor => {
    const plain = actor.via === 'direct' || actor.via === 'joined';
    return plain ? { ...actor, via: 'carried' } : actor;
  });
  const next = openClause(reader, subjects, clause.subjectEnd);
  next.condition = clause.condition;
  return next;
}

/** Whether the clause is what the sentence opens with: "Using X in Y", "To use X". */
function isGerund({ clause, chunked: { chunks } }: Reader): boolean {
  const { verb } = clause;
  if (!verb || (verb.form !== 'ing' && verb.form !== 'infinitive')) return false;
  return chunks[0] === verb;
}

/** A clause of an infinitive, a participle or an -ing form: whose subject is it? */
function dependent(reader: Reader, verb: VerbGroup, before: Before, at: number): Clause {
  const { clause, joint } = reader;
  let { subjects } = clause;
  let via: Via = 'carried';
  if (verb.form === 'infinitive') {
    const governed = governedBy(clause, before);
    // "the ability for administrators to create X": they do.
    const asked = clause.verb?.plain && clause.subjects.length === 0;
    if (before && !asked && isFor(reader, at - 2)) [subjects, via] = [before.actors, 'control'];
    else if (governed) [subjects, via] = [governed, 'control'];
  } else if (before && !joint.comma && !joint.conj && verb.lemma !== 'use') {
    // "a service executing …", "samples received by …"
    const own = before.actors;
    // "metrics in X generated by Y": Y generates the metrics.
    if (verb.passive && isBehindName(reader, at - 1)) subjects = [];
    else if (own.length === 0) via = 'indirect';
    else [subjects, via] = [own, own[0]!.via === 'apposition' ? 'apposition' : 'relative'];
  }
  // "when deploying X": the reader does.
  if (verb.form === 'ing' && (isReaders(reader, at) || ADVISES.has(clause.verb?.lemma ?? ''))) subjects = [];
  const carried = via === 'carried' && clause.verb === undefined;
  const next = openClause(reader, carried ? subjects : as(subjects, via), before?.np.to);
  next.condition =
    clause.condition ||
    clause.excluded ||
    (clause.verb !== undefined && (isDoubtful(clause.verb) || AVOIDS.has(clause.verb.lemma)));
  return next;
}

function isFor({ chunked: { chunks } }: Reader, at: number): boolean {
  const chunk = chunks[at];
  return chunk?.kind === 'prep' && chunk.word === 'for';
}

const AVOIDS = new Set(
  'avoid stop prevent prohibit forbid refuse cease plan intend propose hope want'.split(' '),
);
/** "recommends configuring X": the reader is to do it. */
const ADVISES = new Set('recommend suggest advise consider require need mean involve'.split(' '));
const GUIDES = /^(?:guide|approach|introduction|alternative|path|key)(?:s|es)?$/;
const WHILE = new Set(['when', 'while', 'whenever']);

/** Whether an -ing form says when the reader does something, and not what the subject does. */
function isReaders({ clause, joint, context, chunked }: Reader, at: number): boolean {
  const opener = chunked.chunks[at - 1];
  if (opener?.kind === 'sub') return WHILE.has(opener.word) && context.implied.length === 0;
  // "actions such as deleting X"
  if (joint.preposition === 'like') return true;
  // "guides to writing X"
  const guide = chunked.chunks[at - 2];
  if (joint.preposition === 'to' && guide?.kind === 'np' && GUIDES.test(guide.noun)) return true;
  // "the process of using X"
  if (joint.preposition === 'of' && guide?.kind === 'np') return true;
  const when = joint.preposition === 'before' || joint.preposition === 'after';
  return when && (clause.verb?.passive ?? false);
}

/** Whether a noun phrase is a bare name behind a preposition: what follows belongs to the noun before that. */
function isBehindName({ chunked: { chunks } }: Reader, at: number): boolean {
  const [noun, preposition, np] = [chunks[at - 2], chunks[at - 1], chunks[at]];
  return (
    np?.kind === 'np' &&
    np.head !== undefined &&
    np.determiner === undefined &&
    preposition?.kind === 'prep' &&
    noun?.kind === 'np' &&
    noun.head === undefined
  );
}

/** Verbs whose object does what the infinitive behind it says. */
const CONTROL = new Set(
  'allow enable let require ask cause tell instruct permit force configure request help direct trigger get expect'.split(
    ' ',
  ),
);

/** The subject of an infinitive behind the verb; undefined if it is the subject of the verb itself. */
function governedBy({ verb, lastObject }: Clause, before: Before): Actor[] | undefined {
  if (!verb || !lastObject) return undefined;
  const { actors, preposition } = lastObject;
  // "lets you see Y": the thing that lets people do it counts as the subject.
  if (actors.length === 0 && (before?.np.pronoun !== undefined || PEOPLE.has(before?.np.noun ?? '')))
    return undefined;
  if (CONTROL.has(verb.lemma) && !verb.passive) return preposition === undefined ? actors : undefined;
  // "is used by Y to …": Y does it; "is used by users to …" says what it is for.
  return verb.passive && preposition === 'by' && actors.length > 0 ? actors : undefined;
}

/** "does not render or create": a negation holds for both verbs. */
function inherited({ verb: before }: Clause, verb: VerbGroup, conj: boolean): VerbGroup {
  if (!conj || !before || !verb.plain || (!before.negated && before.modal === undefined)) return verb;
  return { ...verb, negated: verb.negated || before.negated, modal: verb.modal ?? before.modal };
}

function retract(reader: Reader, np: NounPhrase): void {
  reader.found = reader.found.filter(({ object }) => object.from < np.from || object.to > np.to);
}
