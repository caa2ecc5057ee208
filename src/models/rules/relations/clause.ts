// The state of reading a sentence: its clauses, their subjects, and what was found.

import type { Mention } from '../terms/mentions.ts';
import type { Chunked, NounPhrase, VerbGroup } from './chunks.ts';

/** How a name came to be the subject. */
export type Via =
  | 'direct'
  | 'joined'
  | 'relative'
  | 'apposition'
  | 'pronoun'
  | 'implied'
  | 'carried'
  | 'nested'
  | 'owner'
  | 'indirect'
  | 'control'
  | 'section';

export interface Actor {
  mention: Mention;
  via: Via;
  /** The name is the head of its phrase, not a modifier. */
  head: boolean;
}

/** The same actors, found in another way. */
export function as(actors: readonly Actor[], via: Via): Actor[] {
  return actors.map((actor) => ({ ...actor, via }));
}

export function actors(mentions: readonly Mention[], via: Via): Actor[] {
  return mentions.map((mention) => ({ mention, via, head: true }));
}

/** Two names and the words between them. */
export interface Found {
  subject: Actor;
  object: Mention;
  verb: VerbGroup;
  /** Noun or adjective between verb and preposition: "has access to", "is part of", "is responsible for". */
  noun: string | undefined;
  /** It is an adjective. */
  adjective: boolean;
  preposition: string | undefined;
  /** Noun phrases from the verb to the object, counting the object. */
  steps: number;
  /** Words between verb and object. */
  distance: number;
  /** Words between subject and verb. */
  lead: number;
  commas: number;
  /** The object is the head of its phrase, not a modifier. */
  objectHead: boolean;
  /** One of several listed. */
  joined: boolean;
  /** Conditional or denied: not stated. */
  condition: boolean;
  /** Number of the clause in its sentence. */
  clauses: number;
}

/** A subject, its verb and the object right behind it. */
export function plainly(subject: Actor, object: Mention, verb: VerbGroup): Found {
  return {
    subject,
    object,
    verb,
    noun: undefined,
    adjective: false,
    preposition: undefined,
    steps: 1,
    distance: 0,
    lead: 0,
    commas: 0,
    objectHead: true,
    joined: false,
    condition: false,
    clauses: 1,
  };
}

export interface Clause {
  subjects: Actor[];
  /** Where the subject's phrase ends; negative where there is none. */
  subjectEnd: number;
  verb: VerbGroup | undefined;
  /** Predicate adjective: "responsible", "aware". */
  adjective: string | undefined;
  /** First plain noun after the verb. */
  noun: string | undefined;
  steps: number;
  commas: number;
  condition: boolean;
  /** Opened by a word such as "when": ends at its comma. */
  dependent: boolean;
  lastObject: { actors: Actor[]; preposition: string | undefined } | undefined;
  /** Behind "than", "without" and the like: objects do not count. */
  excluded: boolean;
  /** "the same …": what follows "as" is only compared. */
  compared: boolean;
  number: number;
}

export interface Joint {
  comma: boolean;
  conj: boolean;
  preposition: string | undefined;
}

export const noJoint = (): Joint => ({ comma: false, conj: false, preposition: undefined });

export interface ClauseContext {
  /** What "it" means at the beginning. */
  topic: readonly Mention[];
  /** Subject of a text that has none: an item under its head, a cell in its row. */
  implied: readonly Mention[];
  /** What the section or page is about: "this service". */
  section: readonly Mention[];
  /** What the headings around are about, the nearest first. */
  around: readonly Mention[];
  /** What the first noun phrase stands for: "The following components …:". */
  following?: readonly Mention[];
}

/** What a sentence leaves open at its end, for a list below it to complete. */
export interface OpenEnd {
  subjects: Actor[];
  verb: VerbGroup | undefined;
  noun: string | undefined;
  preposition: string | undefined;
  condition: boolean;
  /** The last name behind "for", "of" or "in", or before the noun that is listed: what the list belongs to. */
  about: Mention | undefined;
}

export interface Reader {
  chunked: Chunked;
  context: ClauseContext;
  found: Found[];
  clause: Clause;
  /** Clauses around the brackets that are open. */
  outer: Clause[];
  /** What a pronoun stands for: the subject of this sentence, once it has one. */
  topic: Actor[];
  ownTopic: boolean;
  /** The noun phrase before, and whom it stands for. */
  last: { np: NounPhrase; actors: Actor[] } | undefined;
  /** What stands before the current chunk. */
  joint: Joint;
  clauses: number;
  about: Mention | undefined;
  /** Whether examples are being read: "such as A, B and C". */
  examples: boolean;
  /** The noun before stood behind a preposition: "unlike A and B, …". */
  behindPreposition: boolean;
  /** Where the sentence says what is listed: "has the following services to …". */
  listing: OpenEnd | undefined;
}

export function openReader(chunked: Chunked, context: ClauseContext): Reader {
  return {
    chunked,
    context,
    found: [],
    clause: clauseOf(actors(context.implied, 'implied'), -1, 0),
    outer: [],
    topic: actors(context.topic, 'pronoun'),
    ownTopic: false,
    last: undefined,
    joint: noJoint(),
    clauses: 0,
    about: undefined,
    examples: false,
    behindPreposition: false,
    listing: undefined,
  };
}

function clauseOf(subjects: Actor[], subjectEnd: number, number: number): Clause {
  return {
    subjects,
    subjectEnd,
    verb: undefined,
    adjective: undefined,
    noun: undefined,
    steps: 0,
    commas: 0,
    condition: false,
    dependent: false,
    lastObject: undefined,
    excluded: false,
    compared: false,
    number,
  };
}

export function openClause(reader: Reader, subjects: Actor[], subjectEnd = -1): Clause {
  reader.clauses += 1;
  reader.clause = clauseOf(subjects, subjectEnd, reader.clauses);
  return reader.clause;
}

/** Prepositions whose object takes no part in the statement. */
export const EXCLUDING: ReadonlySet<string> = new Set([
  'without',
  'unlike',
  'than',
  'except',
  'despite',
  'besides',
]);

/** Determiners of a phrase that says what something is: "X, a service that …". */
export const SAYS_WHAT: ReadonlySet<string> = new Set(['a', 'an', 'the', 'one', 'our']);
