// Noun phrases in their clause: before the verb they are its subject, behind it what it is about.

import type { Mention } from '../terms/mentions.ts';
import { actorsOf, isMany, pointsBack, WRITINGS } from './actors.ts';
import { isDoubtful, type NounPhrase, type VerbGroup } from './chunks.ts';
import { as, EXCLUDING, SAYS_WHAT, type Actor, type Reader, type Via } from './clause.ts';
import { isListed } from './listed.ts';
import { hasMeaning } from './meanings.ts';

export function readNounPhrase(reader: Reader, np: NounPhrase): void {
  const { clause, joint } = reader;
  const actors = actorsOf(np, reader);
  const { preposition } = joint;
  const belongs =
    preposition === 'for' ||
    preposition === 'of' ||
    preposition === 'in' ||
    (np.head === undefined && !clause.verb);
  if (belongs && np.mentions.length > 0) reader.about = np.mentions.at(-1);
  if (clause.verb) readObject(reader, clause.verb, { np, actors });
  else readSubject(reader, { np, actors });
}

interface Phrase {
  np: NounPhrase;
  actors: Actor[];
}

function readSubject(reader: Reader, { np, actors }: Phrase): void {
  const { joint } = reader;
  const followsExamples = reader.examples && (joint.conj || joint.comma);
  subject(reader, { np, actors });
  if (joint.preposition === 'like') reader.examples = true;
  else if (!followsExamples) {
    reader.examples = false;
    // "X, usually Y, which …": the clause is about X, so examples do not count.
    if (reader.last?.np !== np) reader.last = { np, actors };
  }
}

/** Subjects that no phrase of this clause named. */
const ELSEWHERE: ReadonlySet<Via> = new Set(['implied', 'carried', 'relative', 'nested']);

/** Makes a phrase the subject of its clause, or part of it. */
function subject(reader: Reader, { np, actors }: Phrase): void {
  const { clause, joint } = reader;
  const { subjects } = clause;
  if (joint.preposition !== undefined) {
    const opens = subjects.length === 0 && clause.subjectEnd >= 0;
    // "the location of X": X only stands in the subject. "all proxies in front of X": it has no part in it.
    if (joint.preposition === 'of' && opens && !reader.behindPreposition) {
      clause.subjects = as(actors, 'nested');
      clause.subjectEnd = np.to;
    }
    reader.behindPreposition = true;
    return;
  }
  if (reader.behindPreposition && joint.conj && !joint.comma && subjects.length === 0) return;
  reader.behindPreposition = false;
  if (reader.examples && (joint.conj || joint.comma)) return;
  const earlier = clause.subjectEnd >= 0 && subjects.length > 0;
  const saysWhat = np.head === undefined && SAYS_WHAT.has(np.determiner ?? '');
  // "X, a service that …", and after "X –": what it is said to be stands for X.
  const implied = subjects[0]?.via === 'implied' && actors.length === 0;
  if (saysWhat && (implied || (earlier && joint.comma && !joint.conj))) {
    reader.last = { np, actors: as(subjects, 'apposition') };
    return;
  }
  const joins = earlier && (joint.conj || joint.comma) && !ELSEWHERE.has(subjects[0]!.via);
  clause.subjects = joins
    ? [
        ...subjects,
        ...actors.map((actor) => (actor.via === 'direct' ? { ...actor, via: 'joined' as const } : actor)),
      ]
    : actors;
  clause.subjectEnd = np.to;
}

const COMPARES = new Set('similar identical equivalent comparable analogous'.split(' '));

function readObject(reader: Reader, verb: VerbGroup, { np, actors }: Phrase): void {
  const { clause, joint } = reader;
  const { lastObject } = clause;
  if (joint.preposition !== undefined && EXCLUDING.has(joint.preposition)) {
    clause.lastObject = undefined;
    clause.excluded = true;
    return;
  }
  // "than tools like Y"
  if (clause.excluded && (joint.preposition === 'like' || joint.conj || joint.comma)) return;
  clause.excluded = false;
  // "on the same machine as Y" and "works similar to Y" compare.
  if ((joint.preposition === 'as' && clause.compared) || COMPARES.has(clause.adjective ?? '')) return;
  clause.compared = reader.chunked.tokens.slice(np.from, np.to).some(({ lower }) => lower === 'same');
  const another =
    lastObject !== undefined &&
    (joint.preposition === 'like' || (joint.preposition === undefined && (joint.conj || joint.comma)));
  const preposition = another ? lastObject.preposition : joint.preposition;
  if (!another) clause.steps += 1;
  for (const object of pointsBack(np) ? [] : np.mentions)
    emit(reader, { object, np, verb, preposition, joined: another });
  if (np.head === undefined && isListed(np.noun)) {
    const { subjects, noun, condition } = clause;
    reader.listing = { subjects, verb, noun, preposition, condition, about: reader.about };
  }
  const first = clause.steps === 1 && np.head === undefined && joint.preposition === undefined;
  if (first) clause.noun ??= np.noun;
  // "is a service that …": what it is said to be stands for the subject.
  reader.last = { np, actors: first && verb.lemma === 'be' ? as(clause.subjects, 'apposition') : actors };
  clause.lastObject = { actors, preposition };
}

/** Verbs that point the reader somewhere or say nothing of what follows. */
const EMPTY = new Set(
  'see refer note visit learn consider ensure mean happen occur appear seem want try like prefer think know remember assume suppose say describe explain discuss illustrate demonstrate show depict cover mention summarize go come become look stay remain begin continue compare differ resemble'.split(
    ' ',
  ),
);

interface Emitted {
  object: Mention;
  np: NounPhrase;
  verb: VerbGroup;
  preposition: string | undefined;
  joined: boolean;
}

/** "For X, use Y" tells the reader what to do: one thing does not "use", it "uses". */
function disagrees({ clause, chunked }: Reader, { mention, via, head }: Actor, verb: VerbGroup): boolean {
  if (verb.form !== 'finite' || !verb.plain || verb.modal !== undefined) return false;
  if (via === 'implied' || !head || clause.subjects.length > 1 || isMany(mention)) return false;
  const between = chunked.tokens.slice(Math.max(0, clause.subjectEnd), verb.from);
  return !between.some(({ lower }) => lower === 'and' || lower === 'or');
}

const QUALITY = /^[a-z]{3,}(?:able|al|ant|ent|ful|ible|ic|ive|less|ous|y)$/;

/** "X is healthy", "components are idempotent": what X is like, although the word is a name elsewhere. */
function saysQuality({ chunked }: Reader, { from, to }: NounPhrase): boolean {
  return to - from === 1 && QUALITY.test(chunked.tokens[from]!.text);
}

/** Whether a noun follows the name, also one that the mention includes: "HTTP server". */
function hasKind({ to, text, term }: Mention, np: NounPhrase): boolean {
  return to < np.to || text.toLowerCase().startsWith(`${term.name.toLowerCase()} `);
}

function emit(reader: Reader, { object, np, verb, preposition, joined }: Emitted): void {
  const { clause } = reader;
  const empty =
    EMPTY.has(verb.lemma) && !(preposition !== undefined && hasMeaning(`${verb.lemma}+${preposition}`));
  if (isDoubtful(verb) || empty) return;
  // "supports X's protocol", "helps X users" say nothing of X.
  const owned = np.head !== object && reader.chunked.tokens[object.to - 1]!.owner;
  if (owned || (np.head === undefined && WRITINGS.test(np.noun))) return;
  const saysKind = verb.lemma === 'be' && !verb.passive && preposition === undefined;
  if (saysKind && saysQuality(reader, np)) return;
  for (const subject of clause.subjects) {
    if (subject.mention.term.key === object.term.key) continue;
    if (disagrees(reader, subject, verb)) continue;
    // "what X started is a Y" does not say that X is one.
    const aside =
      subject.via === 'indirect' || subject.via === 'nested' || subject.via === 'owner' || !subject.head;
    if (aside && verb.lemma === 'be' && !verb.passive) continue;
    reader.found.push({
      subject,
      object,
      verb,
      // "is a Y component": what is said of Y depends on the noun behind it.
      noun: saysKind ? (hasKind(object, np) ? np.noun : undefined) : (clause.noun ?? clause.adjective),
      adjective: clause.noun === undefined && clause.adjective !== undefined,
      preposition,
      steps: clause.steps,
      distance: object.from - verb.to,
      lead: clause.subjectEnd < 0 ? 0 : Math.max(0, verb.from - clause.subjectEnd),
      commas: clause.commas,
      objectHead: np.head === object,
      joined,
      condition: clause.condition,
      clauses: clause.number,
    });
  }
}
