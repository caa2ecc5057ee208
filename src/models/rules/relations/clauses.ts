// Who does what to whom in a sentence. Clauses are followed from left to right: a subject, its verb, what comes after it
// and by which preposition. Everything found carries how it was found; how sure that is, is decided in confidence.ts.

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
      readRelative(reader);
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
    inner.within = clause;
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

function readRelative(reader: Reader): void {
  const { clause, last, joint } = reader;
  const next = openClause(reader, as(last?.actors ?? [], 'relative'), last?.np.to);
  next.condition = clause.condition;
  if (joint.comma) next.within = clause;
}

function readVerb(reader: Reader, given: VerbGroup, at: number): void {
  const { joint, last, clause } = reader;
  const verb = inherited(clause, given, joint.conj);
  const previous = reader.chunked.chunks[at - 1];
  const subject =
    previous?.kind === 'np' && last?.np === previous ? { np: previous, actors: last.actors } : undefined;
  const next = verb.form === 'finite' ? finite(reader, subject) : dependent(reader, verb, subject);
  next.condition ||= joint.preposition !== undefined && EXCLUDING.has(joint.preposition);
  next.verb = verb;
  next.adjective = undefined;
  next.noun = undefined;
  next.steps = 0;
  next.commas = 0;
  next.lastObject = undefined;
  if (verb.lemma === 'use' && verb.passive && verb.form === 'finite') usedBy(reader, at);
}

/** "X is used to cache …" in the section of Y: Y uses it, where nobody else is said to. */
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
  if (before && clause.described && !joint.comma && !joint.conj) {
    // "processes started by Y are …": Y is no subject, what it started is.
    const { subjects, subjectEnd, condition } = clause.described;
    const next = openClause(
      reader,
      subjects.length > 0 ? subjects : as(before.actors, 'indirect'),
      subjectEnd,
    );
    next.condition = condition;
    return next;
  }
  if (before) {
    // "… and Y does": the noun right before a finite verb is its own subject, and was no object.
    retract(reader, before.np);
    const next = openClause(reader, before.actors, before.np.to);
    next.condition = clause.condition && !joint.comma && before.np.pronoun === undefined;
    return next;
  }
  // ", which …, does": the clause around goes on.
  const resumes = clause.within !== undefined && joint.comma && !joint.conj;
  const from = resumes ? clause.within! : clause;
  const subjects = from.subjects.map((actor): Actor => {
    const plain = actor.via === 'direct' || actor.via === 'joined';
    return resumes || plain ? { ...actor, via: 'carried' } : actor;
  });
  const next = openClause(reader, subjects, from.subjectEnd);
  next.condition = from.condition;
  if (!resumes) next.within = clause.within;
  return next;
}

/** A clause of an infinitive, a participle or an -ing form: whose subject is it? */
function dependent(reader: Reader, verb: VerbGroup, before: Before): Clause {
  const { clause, joint } = reader;
  // "… (using Z)": the one who acts uses it, not what stands before the bracket.
  const bracketed =
    clause.verb === undefined && clause.within !== undefined && reader.outer.at(-1) === clause.within;
  let subjects = bracketed && verb.lemma === 'use' ? clause.within!.subjects : clause.subjects;
  // "We recommend running …" is nobody's doing.
  subjects = subjects.filter((actor) => actor.via !== 'section');
  let via: Via = 'carried';
  if (verb.form === 'infinitive') {
    const governed = governedBy(clause);
    if (governed.length > 0) [subjects, via] = [governed, 'control'];
  } else if (before && !joint.comma && !joint.conj && verb.lemma !== 'use') {
    // "a service executing …", "samples received by …"
    const own = before.actors;
    if (own.length === 0) via = 'indirect';
    else [subjects, via] = [own, own[0]!.via === 'apposition' ? 'apposition' : 'relative'];
  }
  const carried = via === 'carried' && clause.verb === undefined;
  const next = openClause(reader, carried ? subjects : as(subjects, via), before?.np.to);
  next.condition = clause.condition || (clause.verb?.negated ?? false);
  next.within = clause.within;
  if (verb.form === 'participle' && verb.passive && before && clause.verb === undefined)
    next.described = clause;
  return next;
}

/** Verbs whose object does what the infinitive behind it says. */
const CONTROL = new Set(
  'allow enable let require ask cause tell instruct permit force configure request help direct trigger get expect'.split(
    ' ',
  ),
);

function governedBy({ verb, lastObject }: Clause): Actor[] {
  if (!verb || !lastObject) return [];
  // "is used by Y to …": Y does it.
  const governs = CONTROL.has(verb.lemma)
    ? lastObject.preposition === undefined
    : verb.passive && lastObject.preposition === 'by';
  return governs ? lastObject.actors : [];
}

/** "does not render or create": what denies the first verb denies the second. */
function inherited({ verb: before }: Clause, verb: VerbGroup, conj: boolean): VerbGroup {
  if (!conj || !before || !verb.plain || (!before.negated && before.modal === undefined)) return verb;
  return { ...verb, negated: verb.negated || before.negated, modal: verb.modal ?? before.modal };
}

function retract(reader: Reader, np: NounPhrase): void {
  reader.found = reader.found.filter(({ object }) => object.from < np.from || object.to > np.to);
}
