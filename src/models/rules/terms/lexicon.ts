// The names of a corpus: candidates that are names, with their spellings, and the other ways in which texts call them.

import {
  ADVERB,
  BE,
  CONJUNCTION,
  DETERMINER,
  DO,
  MODAL,
  MODIFIER,
  NEGATION,
  PREPOSITION,
  PRONOUN,
  RELATIVE,
  SUBORDINATOR,
} from '../words/closed.ts';
import { ADJECTIVES, COMMON, verbForm } from '../words/verbs.ts';
import { timesShown, type Candidate } from './survey.ts';
import { featuresOf, inProportion, spelling, type Counted, type Shown } from './features.ts';
import { ABSTRACT, CALENDAR, COMPOUNDS, HEADS } from './generic.ts';
import { normalKey, singularWord } from './keys.ts';
import { TERM_WEIGHTS, type TermFeature } from './weights.ts';

export interface Term {
  key: string;
  name: string;
  /** How sure it is a name: logarithm of odds in steps of a half, so that it does not change with every edit. */
  level: number;
  /** Nouns that said what it is, most often first. */
  kinds: string[];
  /** Set apart by a heading, a link, stress or a list of its own. */
  marked: boolean;
  /** A common word that is a name only with its capital. */
  capitalOnly: boolean;
  /** Lower case or defined in the text: a concept rather than the name of a product. */
  concept: boolean;
  /** Perhaps a name: it counts only where a text plainly relates it to one that is. */
  weak: boolean;
}

export interface Lexicon {
  terms: ReadonlyMap<string, Term>;
  /** Key of a spelling, short form or longer form to the key of its term. */
  alias: ReadonlyMap<string, Alias>;
  /** A large corpus: what is true is stated plainly somewhere, so uncertain statements are left out. */
  large: boolean;
}

export interface Alias {
  from: string;
  to: string;
}

/** A candidate below its threshold by this factor is dropped; between the two it is a weak term. */
const WEAK = 0.55;
const MAX_KINDS = 3;
const STATED = 4;

const WEIGHTS = Object.entries(TERM_WEIGHTS) as [TermFeature, number][];

function scoreOf(candidate: Shown): number {
  const features = featuresOf(candidate);
  let sum = 0;
  for (const [feature, weight] of WEIGHTS) sum += features[feature] * weight;
  return 1 / (1 + Math.exp(-sum));
}

/** `stated` are names that somebody wrote down: they need no evidence. */
export function buildLexicon(
  candidates: ReadonlyMap<string, Counted>,
  short: ReadonlyMap<string, string>,
  stated: readonly { name: string; aliases: readonly string[] }[],
  { words, large }: { words: number; large: boolean },
): Lexicon {
  const terms = new Map<string, Term>();
  for (const [key, counted] of candidates) {
    const candidate = inProportion({ ...counted, words });
    const name = spelling(candidate);
    if (isQuality(name, candidate) || !isWhole(name)) continue;
    const score = scoreOf(candidate);
    const least = needed(name, candidate);
    // In a large corpus there is enough evidence for everyday words: none of them is a weak term.
    if (score < least * (candidate.share === undefined ? WEAK : 1)) continue;
    terms.set(key, { ...termOf(key, name, candidate, score), weak: score < least });
  }
  dropGroups(terms);
  const alias = new Map<string, Alias>();
  const join = (from: string, to: string, spelled: string) => alias.set(from, { from: spelled, to });
  for (const [from, to] of short) {
    const nameOf = (key: string) => terms.get(key)?.name ?? spelledAs(candidates, key);
    if (terms.has(to) && from !== to) join(from, to, nameOf(from));
    else if (!terms.has(to) && terms.has(from)) join(to, from, nameOf(to));
  }
  joinHeads(candidates, terms, alias);
  for (const { name, aliases } of stated) {
    const key = normalKey(name);
    terms.set(key, {
      key,
      name,
      level: STATED,
      kinds: terms.get(key)?.kinds ?? [],
      marked: true,
      capitalOnly: false,
      concept: false,
      weak: false,
    });
    alias.delete(key);
    for (const other of aliases) join(normalKey(other), key, other);
  }
  for (const key of alias.keys()) terms.delete(key);
  return { terms, alias, large };
}

export function saveLexicon({ terms, alias, large }: Lexicon): Uint8Array {
  return Buffer.from(JSON.stringify({ terms: [...terms.values()], alias: [...alias], large }));
}

export function openLexicon(bytes: Uint8Array): Lexicon {
  const saved = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
    terms: Term[];
    alias: [string, Alias][];
    large: boolean;
  };
  const terms = new Map(saved.terms.map((term) => [term.key, term]));
  const alias = new Map(saved.alias);
  return { terms, alias, large: saved.large };
}

function spelledAs(candidates: ReadonlyMap<string, Counted>, key: string): string {
  const candidate = candidates.get(key);
  return candidate ? spelling(candidate) : key;
}

function termOf(key: string, name: string, candidate: Shown, score: number): Omit<Term, 'weak'> {
  const { evidence } = candidate;
  let small = 0;
  let total = 0;
  for (const [text, count] of candidate.names) {
    total += count;
    if (text === text.toLowerCase()) small += count;
  }
  const lower = name.toLowerCase();
  return {
    key,
    name,
    level: Math.max(-1.5, Math.min(4, Math.round(2 * Math.log(score / (1 - score + 1e-9))) / 2)),
    kinds: [...candidate.kinds]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, MAX_KINDS)
      .map(([kind]) => kind),
    marked: timesShown(evidence, 'title', 'heading', 'link', 'strong', 'item', 'listed') > 0,
    capitalOnly: name !== lower && COMMON.has(lower) && small < total / 2,
    concept:
      (name === lower && (evidence.code ?? 0) === 0) ||
      (evidence.defined ?? 0) > 0 ||
      (timesShown(evidence, 'heading', 'title') > 0 && COMMON.has(lower)),
  };
}

const SHOWN = 0.08;

/** The score a candidate needs: lower-case words are less often names than capitalised ones. */
function needed(name: string, { evidence }: Candidate): number {
  // Boxes of a diagram and first cells of a table of services are nearly always names.
  if (timesShown(evidence, 'node', 'row') >= 1) return SHOWN;
  if (name !== name.toLowerCase()) return 0.3;
  return /[\s_.-]/.test(name) ? 0.35 : 0.45;
}

const QUESTION = new Set('what how why when where who'.split(' '));
const EMPTY = new Set(
  'yes no true false none null n/a to have has had next last previous first same sure least most fewest less more fewer'.split(
    ' ',
  ),
);
const CLOSED: ReadonlySet<string> = new Set(
  [
    EMPTY,
    NEGATION,
    DO,
    CALENDAR,
    DETERMINER,
    PREPOSITION,
    PRONOUN,
    BE,
    CONJUNCTION,
    SUBORDINATOR,
    MODAL,
    RELATIVE,
    ADVERB,
    QUESTION,
  ].flatMap((words) => [...words]),
);

/** "idempotent", "UNHEALTHY", "losing": words that describe things and are seldom a subject. */
function isQuality(name: string, { evidence, names }: Shown): boolean {
  const lower = name.toLowerCase();
  const shouted = name === name.toUpperCase() && name.length > 4;
  const met = [...names.values()].reduce((sum, count) => sum + count, 0);
  const describes = /^[a-z]{3,}(?:ed|able|ible|ful|less|ous)$|^un[a-z]{4,}y$/.test(lower);
  // "Pluggable" in a heading, and "pluggable" in sentences
  const both = describes && (names.get(lower) ?? 0) * 3 > met;
  if (name !== lower && !shouted && !both) return false;
  const named = timesShown(evidence, 'title', 'heading', 'link', 'node', 'row', 'listed') > 0;
  const doing = verbForm(lower)?.form === 'ing' && !named;
  if (!doing && !describes && !ADJECTIVES.has(lower.replace(/^(?:un|non)(?=[a-z]{4})/, ''))) return false;
  return timesShown(evidence, 'subject', 'actor') * 5 < met;
}

const VERSION = /^v?\d+(?:\.\w+)*\+?$/;
/** A form that is a verb more often than this is never a name. */
const ONLY_VERB = 0.75;

/** "deny", "Sends", "manually rotated": actions, not things. */
function isDone(name: string, words: readonly string[]): boolean {
  if (/[-_./]|\p{Ll}\p{Lu}/u.test(name)) return false;
  const last = words.at(-1)!;
  const verb = verbForm(last);
  if (verb?.form === 'past' && last.length > 4) return words.length === 1 || name === name.toLowerCase();
  const plain = verb?.form === 's' || (verb?.form === 'base' && name === name.toLowerCase());
  return words.length === 1 && plain && verb.verb > ONLY_VERB;
}

/** "Installing X" and "Configure X" are titles of guides. */
const GUIDES = new Set(
  'using installing adding exporting getting configuring creating deleting removing upgrading deploying enabling disabling customizing debugging troubleshooting securing understanding writing making working migrating setting specifying viewing accessing use install add get configure reconfigure create delete remove upgrade enable disable customize migrate specify see find'.split(
    ' ',
  ),
);
/** Placeholders for the reader's own names. */
const PLACEHOLDER = /^(?:foo|bar|baz|qux|my|your|foobar)$/;
/** "X documentation", "Production Usage": a text, and not what it is about. */
const WRITING = /^(?:documentation|guide|overview|page|prerequisites|readme|terminology|tutorial|usage)$/;
const UNIT = /^[KMGT]i?B\b/;
const DATED = /\d{4}-\d{2}|-\d{3,}$/;
const DESCRIBES =
  /-(?:[a-z]{3,}ed|compatible|aware|specific|related|style|driven|wide|facing|like|only)$|^(?:non|semi)-/i;

/** Whether a text can be a name as a whole: no verb, no function word at either end, no placeholder. */
function isWhole(name: string): boolean {
  const words = name.toLowerCase().split(/\s+/);
  if (words.every((word) => VERSION.test(word)) || isDone(name, words)) return false;
  if (words.length === 1 && ABSTRACT.has(singularWord(words[0]!))) return false;
  if (words.length > 1 && (GUIDES.has(words[0]!) || WRITING.test(words.at(-1)!))) return false;
  // "an optional service" is some service.
  const some = words.length === 2 && name === name.toLowerCase() && MODIFIER.has(words[0]!);
  if (some && HEADS.has(words[1]!) && !COMPOUNDS.has(normalKey(name))) return false;
  if (
    name.split(/[\s_-]+/).some((word) => PLACEHOLDER.test(word.toLowerCase())) ||
    DATED.test(name) ||
    UNIT.test(name)
  )
    return false;
  // "pod-to-pod"
  if (words.length === 1 && (DESCRIBES.test(name) || /^[a-z]+-to-[a-z]+$/.test(name))) return false;
  // "managed-by", "horizontally".
  if (/-(?:by|of|from|with|to|for)$/.test(name) || (words.length === 1 && /^[a-z]{4,}ly$/.test(name)))
    return false;
  return ![words[0]!, words.at(-1)!].some((word) => /['’](?:d|ll|m|re|t|ve)$/.test(word) || CLOSED.has(word));
}

const GROUPED = new Set(
  'services components modules processes containers applications apps users clients libraries plugins resources objects nodes servers pods instances clusters replicas brokers workers files settings options metrics logs events requests messages configuration'.split(
    ' ',
  ),
);

/** "Shop services" are the services of Shop, not an entity of their own. */
function dropGroups(terms: Map<string, Term>): void {
  for (const [key, { name }] of terms) {
    const words = name.split(/\s+/);
    if (
      words.length > 1 &&
      GROUPED.has(words.at(-1)!.toLowerCase()) &&
      terms.has(normalKey(words.slice(0, -1).join(' ')))
    )
      terms.delete(key);
  }
}

const JOINED = new Set(
  'service component process instance instances pod pods server servers daemon daemons application cluster clusters system replica replicas container node nodes event events'.split(
    ' ',
  ),
);

/** "the billing service", "Shop cluster": the name and a word for its kind mean the name. */
function joinHeads(
  candidates: ReadonlyMap<string, Counted>,
  terms: ReadonlyMap<string, Term>,
  alias: Map<string, Alias>,
): void {
  for (const [key, candidate] of candidates) {
    const name = spelling(candidate);
    const words = name.split(/\s+/);
    if (words.length < 2 || !JOINED.has(words.at(-1)!)) continue;
    const base = normalKey(words.slice(0, -1).join(' '));
    const term = terms.get(base);
    if (!term || alias.has(base)) continue;
    const own = terms.get(key);
    // With its own heading or link it is an entity of its own.
    if (!own?.marked || own.level <= term.level) alias.set(key, { from: name, to: base });
  }
}

/** The term a key stands for. */
export function resolveKey(lexicon: Lexicon, key: string): Term | undefined {
  return lexicon.terms.get(key) ?? lexicon.terms.get(lexicon.alias.get(key)?.to ?? '');
}
