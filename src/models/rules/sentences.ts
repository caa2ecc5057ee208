// Relations and definitions said in sentences. Only the words between two names are read: a closed set of patterns
// (active, passive, states, lists, relative clauses), and anything doubtful (negation, possibility, questions) is left.

import { entityKey } from '../../domain/graph.ts';
import type { Span } from './names.ts';
import { findNames } from './names.ts';
import type { Piece, RuleContext } from './types.ts';
import type { Verb } from './verbs.ts';

const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'gets', 'get']);
const SKIP = new Set(
  'will must has have had also then now currently directly internally primarily mainly only still always usually typically often both itself in turn first finally automatically asynchronously synchronously already further additionally mostly heavily together which that who'.split(
    ' ',
  ),
);
const DOUBT =
  /\b(?:not|no longer|never|cannot|can't|don't|doesn't|isn't|aren't|won't|without|instead of|rather than|neither|nor|unlike|could|would|might|should|may|can|if|unless|whether|used to|planned|plans|stopped|before|than)\b/i;
const CLAUSE = new Set(
  'and or but because when while where which that who so then since although though however for during after before until unless as than if via through using'.split(
    ' ',
  ),
);
const PREPOSITION = new Set(
  'of for behind from in into to with by via than between inside on at about against through like over under within per'.split(
    ' ',
  ),
);
const LIST_GAP =
  /^(?:,|\/|,? ?(?:and|or|as well as|plus)(?: (?:both|the|its|an?|also))?|, (?:the|its|an?)|)$/i;
const ASIDE = /^ ?(?:from|to|in|on|for|into|at|of|with)(?: the| its| our)?$/i;
const MEANS = /^(?:[^,.;:()]{0,60} )?(?:over|via|using|through)(?: (?:the|its|an?|plain|mutual|secure))?$/i;
const AFTER_COMMA = /^\s*,\s*(.*)$/s;
const CONTINUED = /^\s*,?\s*(?:and|but)\s+(?:it\s+)?(?:also\s+)?(.*)$/s;
const MAX_SENTENCE = 600;

/** Splits prose into sentences, each with its first line. Abbreviations and numbers do not end one. */
export function sentencesOf(piece: Piece): Piece[] {
  const result: Piece[] = [];
  const end = /[.!?](?=["')\]]*(?:\s+[\p{Lu}\p{N}`*[(]|\s*$))/gu;
  let from = 0;
  const take = (to: number) => {
    const raw = piece.text.slice(from, to);
    const lead = raw.length - raw.trimStart().length;
    const text = raw.trim().replaceAll(/\s+/g, ' ');
    if (text !== '' && text.length <= MAX_SENTENCE)
      result.push({ text, line: piece.line + newlines(piece.text, from + lead) });
    from = to;
  };
  for (let match = end.exec(piece.text); match; match = end.exec(piece.text)) {
    const before = piece.text.slice(Math.max(0, match.index - 5), match.index);
    if (/(?:\b(?:e\.g|i\.e|etc|vs|cf|Dr|Mr|Ms|St|No)|\b\p{Lu})$/u.test(before)) continue;
    take(match.index + 1);
  }
  take(piece.text.length);
  return result;
}

function newlines(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * Reads one sentence: names, definitions and relations. `subject` is what "it" and "the service" mean here; the answer
 * is what they mean in the next sentence.
 */
export function readSentence(sentence: Piece, context: RuleContext, subject?: Span): Span | undefined {
  const { text, line } = sentence;
  const spans = findNames(text, context.cues, context.memory).filter((span) => isName(span, text, context));
  define(sentence, spans, context);
  for (const span of spans) if (span.type !== undefined) context.out.entity(span.name, span.type, line);
  if (text.endsWith('?') || spans.length === 0) return subject;
  const withSubject = implied(text, spans, subject, context);
  let current: Span[] = [];
  let relation: Match | undefined;
  for (let index = 1; index < withSubject.length; index++) {
    const left = withSubject[index - 1]!;
    const right = withSubject[index]!;
    const between = text.slice(left.end, right.start);
    const gap = stripGap(between);
    if (LIST_GAP.test(gap) || (relation && repeats(gap, relation.verb))) {
      if (relation && current.length > 0 && gap !== '') relate([current, right], relation, sentence, context);
      continue;
    }
    // "consumes X from Kafka and …": the aside says nothing clear, and the subject goes on.
    if (ASIDE.test(gap) && relation) continue;
    const continued = (relation?.reduced ? AFTER_COMMA : CONTINUED).exec(between);
    const start = continued && current.length > 0 && relation ? continued[1]! : undefined;
    const match = matchBetween(start ?? between, context, relation?.passive);
    if (match) {
      if (start === undefined) {
        current = subjectsOf(withSubject, index - 1, text);
        if (!/^,? ?(?:which|that|who)\b/.test(between) && badSubject(current[0]!, text)) {
          current = [];
          relation = undefined;
          continue;
        }
      }
      relation = match;
      relate([current, right], match, sentence, context);
      continue;
    }
    const means = MEANS.test(between.trim()) && !DOUBT.test(between);
    if (means && right.type !== undefined) {
      const actor = current.length > 0 && relation && !relation.passive ? current : [left];
      const uses = context.lexicon.active.get('uses')?.find((verb) => verb.after.length === 0);
      const plain = current.length > 0 || (!badSubject(left, text) && hasVerb(between));
      if (uses && plain) relate([actor, right], { verb: uses, passive: false }, sentence, context);
      continue;
    }
    relation = undefined;
    current = [];
  }
  const first = withSubject[0]!;
  return first.type !== undefined && /^(?:the |our |an? )?$/i.test(text.slice(0, first.start))
    ? first
    : subject;
}

/** "stores sessions using Redis": something must be done between subject and means. */
function hasVerb(between: string): boolean {
  return /^\s*(?:,? which |,? that )?\p{Ll}+(?:s|ed)\b/u.test(between);
}

function stripGap(between: string): string {
  return between.replaceAll(/\s+/g, ' ').trim();
}

/** The names before the verb that are listed together: "A and B use C". */
function subjectsOf(spans: readonly Span[], at: number, text: string): Span[] {
  const subjects = [spans[at]!];
  for (let index = at; index > 0; index--) {
    const gap = stripGap(text.slice(spans[index - 1]!.end, spans[index]!.start));
    if (!/^(?:,|and|, and|and the|, and the|&)$/i.test(gap)) break;
    subjects.unshift(spans[index - 1]!);
  }
  return subjects;
}

/** After a preposition a name is not the subject: "the team behind A uses B". */
function badSubject(span: Span, text: string): boolean {
  const before = /([\p{L}]+)(?: (?:the|our|its|an?))?\s*$/iu
    .exec(text.slice(0, span.start))?.[1]
    ?.toLowerCase();
  return before !== undefined && PREPOSITION.has(before);
}

function relate(
  [subjects, object]: [readonly Span[], Span],
  match: Match,
  sentence: Piece,
  context: RuleContext,
): void {
  if (!standsAlone(object, sentence.text)) return;
  for (const subject of subjects) {
    if (
      conditional(subject, sentence.text) ||
      (subject.type === undefined && !standsAlone({ ...subject, end: sentence.text.length }, sentence.text))
    )
      continue;
    const flip = match.passive !== match.verb.reverse;
    context.out.relation({
      source: flip ? object : subject,
      target: flip ? subject : object,
      type: match.verb.type,
      line: sentence.line,
      description: sentence.text,
    });
  }
}

/** Words that may follow a name without becoming what is meant: "Redis cluster", not "Redis metrics". */
const HEADS = new Set(
  'cluster instance instances cache database databases queue topic broker server servers service gateway table tables store replica replicas team and or for to from in on at by with via over as is are was which that who when while where if so because during after before until then but whenever since every each itself too also again instead only one once around at across within without before through between'.split(
    ' ',
  ),
);

/** Whether the name stands for itself here and not for a part of a longer phrase. */
function standsAlone(span: Span, text: string): boolean {
  if (span.type === undefined) {
    if (
      /-(?:based|inspired|level|only|facing|aware|like|specific|related|compatible|native|style|driven)\b/.test(
        span.name,
      )
    )
      return false;
    // Lower-case code without a hyphen is a field or a flag.
    if (/^[.$]|^\p{Ll}[\p{L}\p{N}]*$|[:=]/u.test(span.name) && text[span.start] === '`') return false;
  }
  const next = /^ (\p{Ll}[\p{L}-]*)/u.exec(text.slice(span.end))?.[1];
  return next === undefined || HEADS.has(next) || next.endsWith('ly');
}

/** Inside a condition nothing is said: "if A needs B". */
function conditional(span: Span, text: string): boolean {
  return /\b(?:if|unless|whether|suppose|assuming)\b[^,]*$/i.test(text.slice(0, span.start));
}

interface Match {
  verb: Verb;
  passive: boolean;
  /** "A, owned by B, …": after the comma the sentence is about A again. */
  reduced?: boolean;
}

/** "depends on A for x and on B": the same verb again by its preposition. */
function repeats(gap: string, verb: Verb): boolean {
  const words = gap.toLowerCase().split(' ');
  const and = words.lastIndexOf('and');
  const after = words.slice(and + 1).filter((word) => word !== 'the');
  return and >= 0 && and <= 4 && after.length === 1 && verb.after.includes(after[0]!) && !DOUBT.test(gap);
}

/** What the words between two names say, if they say one thing clearly. */
export function matchBetween(between: string, context: RuleContext, afterPassive = false): Match | undefined {
  if (DOUBT.test(between) || /[.;:!?|=<>]/.test(between)) return undefined;
  const cleaned = between.replaceAll(/\([^)]*\)/g, ' ');
  const words = cleaned.toLowerCase().match(/[\p{L}'’-]+|,/gu) ?? [];
  let at = 0;
  while (
    at < words.length &&
    (words[at] === ',' || SKIP.has(words[at]!) || /^\p{L}{3,}ly$/u.test(words[at]!))
  )
    at += 1;
  if (at >= words.length || at > 4) return undefined;
  const rest = words.slice(at);
  if (BE.has(rest[0]!)) return matchState(rest.slice(1), context);
  const reduced = matchReduced(rest, context, afterPassive || at > 0 || between.includes('('));
  if (reduced) return reduced;
  const verbs = context.lexicon.active.get(rest[0]!);
  // "Once A is ready, use B": after a comma the bare verb tells the reader what to do.
  if (!verbs || (words.slice(0, at).join('') === ',' && !/(?:s|ed)$/.test(rest[0]!))) return undefined;
  for (const verb of [...verbs].sort((a, b) => b.after.length - a.after.length)) {
    if (tailFits(rest.slice(1), verb)) return { verb, passive: false };
  }
  return undefined;
}

/** "A, owned by B": a participle right after the name. */
function matchReduced(words: readonly string[], context: RuleContext, apart: boolean): Match | undefined {
  if (words[1] !== 'by' || !apart) return undefined;
  const verb = context.lexicon.participle.get(words[0]!)?.[0];
  return verb && plain(words.slice(2)) ? { verb, passive: true, reduced: true } : undefined;
}

function matchState(words: readonly string[], context: RuleContext): Match | undefined {
  let at = 0;
  while (
    at < words.length &&
    (SKIP.has(words[at]!) || BE.has(words[at]!) || /^\p{L}{3,}ly$/u.test(words[at]!))
  )
    at += 1;
  const rest = words.slice(at);
  for (const state of context.lexicon.states) {
    if (state.words.every((word, index) => rest[index] === word) && plain(rest.slice(state.words.length)))
      return { verb: { type: state.type, after: [], reverse: false }, passive: false };
  }
  const verbs = context.lexicon.participle.get(rest[0] ?? '');
  if (!verbs) return undefined;
  const by = rest.indexOf('by');
  if (
    by > 0 &&
    by <= 4 &&
    rest.slice(1, by).every((word) => !CLAUSE.has(word) && word !== ',') &&
    plain(rest.slice(by + 1))
  )
    return { verb: verbs[0]!, passive: true };
  return undefined;
}

function tailFits(tail: readonly string[], verb: Verb): boolean {
  if (verb.after.length === 0) return plain(tail);
  const at = tail.findIndex((word) => verb.after.includes(word));
  if (at === -1 || at > 5) return false;
  return tail.slice(0, at).every((word) => !CLAUSE.has(word) || word === 'and') && plain(tail.slice(at + 1));
}

/** Up to three describing words between verb and name. */
function plain(tail: readonly string[]): boolean {
  return (
    tail.length <= 4 &&
    tail.every((word) => word !== ',' && !CLAUSE.has(word) && !PREPOSITION.has(word) && !BE.has(word))
  );
}

/** "It uses …", "The service reads …" in a section about one thing. */
function implied(text: string, spans: Span[], subject: Span | undefined, context: RuleContext): Span[] {
  if (!subject) return spans;
  const opening = /^(?:It|(?:This|The) (\p{L}+))(?= )/u.exec(text);
  if (!opening) return spans;
  const word = opening[1];
  if (word !== undefined && (subject.type === undefined || context.cues.typeOfWord(word) !== subject.type))
    return spans;
  if (spans[0] && spans[0].start < opening[0].length) return spans;
  return [{ ...subject, start: 0, end: opening[0].length }, ...spans];
}

/** "X is a … service that …" types X; the sentence describes it. */
function define(sentence: Piece, spans: Span[], context: RuleContext): void {
  const first = spans[0];
  if (!first || !/^(?:the |an? |our )?$/i.test(sentence.text.slice(0, first.start))) return;
  const after = sentence.text.slice(first.end);
  const match =
    /^(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the|our|one of the) ((?:[\p{L}\p{N}/-]+ ){0,5}?)([\p{L}]+)\b/u.exec(
      after,
    );
  if (!match || DOUBT.test(match[0])) return;
  const words = `${match[1] ?? ''}${match[2]}`.split(' ');
  let type = first.type;
  for (const [index, word] of words.entries()) {
    if (index > 0 && PREPOSITION.has(word)) break;
    const told = context.cues.typeOfWord(word);
    const next = after.slice(match[0].length);
    const ends =
      index < words.length - 1 ||
      /^(?:[.,;]| (?:that|which|for|of|used|in|on|to|with|by|where|and)\b|$)/.test(next);
    if (told && ends && type === undefined) type = told;
  }
  type ??= laterWord(after, context);
  // What a heading names and the text then defines is a concept.
  if (type === undefined && context.topics.has(topicKey(first.name)) && context.cues.has('CONCEPT'))
    type = context.cues.kind('concept');
  if (type === undefined) return;
  first.type = type;
  context.memory.set(first.name.toLowerCase(), type);
  context.out.entity(first.name, type, sentence.line, sentence.text);
}

export function topicKey(name: string): string {
  return entityKey(name).replace(/s$/, '');
}

/** The head of "is a …": the last word before the first preposition, relative pronoun or stop. */
function laterWord(after: string, context: RuleContext): string | undefined {
  const head = /^(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the|our) ([^.,;:()]{1,80})/u.exec(after)?.[1];
  if (head === undefined) return undefined;
  const words = head.split(' ');
  const stop = words.findIndex(
    (word, index) => index > 0 && (PREPOSITION.has(word) || CLAUSE.has(word) || /ing$|ed$/.test(word)),
  );
  const last = words[(stop === -1 ? words.length : stop) - 1];
  return last === undefined ? undefined : context.cues.typeOfWord(last);
}

/** An untyped word that only opens a sentence is no name. */
function isName(span: Span, text: string, context: RuleContext): boolean {
  if (span.type !== undefined) return true;
  if (span.start > 0 && /[\p{L}\p{N},)]\s*$/u.test(text.slice(0, span.start))) return true;
  if (/\s/.test(span.name) || /\p{Ll}\p{Lu}|[-_.\d]/u.test(span.name)) return true;
  return text[span.start] === '`' || context.capitals.has(span.name);
}
