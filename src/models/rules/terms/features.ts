// What is known of a candidate, as numbers: how the corpus shows it, how it is written, what its words are.

import { ADJECTIVES, COMMON, NAMES, usualShare, verbForm } from '../words/verbs.ts';
import {
  BE,
  CONJUNCTION,
  DETERMINER,
  MODIFIER,
  PREPOSITION,
  PRONOUN,
  SUBORDINATOR,
} from '../words/closed.ts';
import { shapeOf } from './phrases.ts';
import { timesShown, type Candidate, type EvidenceKind } from './survey.ts';
import { COMPOUNDS, DOCUMENT_WORDS, HEADS, INITIALS } from './generic.ts';
import { normalKey, singularWord, splitWords } from './keys.ts';
import type { TermFeature } from './weights.ts';

export interface Counted extends Candidate {
  documents: number;
}

export interface Shown extends Counted {
  /** Words of the whole corpus. */
  words: number;
  /** What part of the evidence counts: see `inProportion`. */
  share?: number;
}

export function spelling(candidate: Candidate): string {
  let best = '';
  let most = -1;
  for (const [name, count] of candidate.names)
    if (count > most || (count === most && name < best)) {
      best = name;
      most = count;
    }
  return best;
}

/** Ways of standing in a sentence that say little by themselves. */
const MINOR: ReadonlySet<string> = new Set(['object', 'actor', 'target', 'setting']);

/** Words of the corpora that the weights come from, about. */
const USUAL_WORDS = 10_000;
/** How much of that counts, chosen on judged names of a documentation of 90,000 words. */
const BY_CHANCE = 0.7;

/** An everyday word gathers marks by chance, the more the more text there is: in a large corpus each counts less. */
export function inProportion(candidate: Shown): Shown {
  const share = Math.min(1, USUAL_WORDS / candidate.words) ** BY_CHANCE;
  const words = splitWords(spelling(candidate)).map((word) => word.toLowerCase());
  if (share === 1 || !words.every((word) => COMMON.has(word) || COMMON.has(singularWord(word))))
    return candidate;
  const evidence = Object.entries(candidate.evidence).map(([kind, count]) => [kind, count * share]);
  return { ...candidate, share, evidence: Object.fromEntries(evidence) as Candidate['evidence'] };
}

export function featuresOf(candidate: Shown): Record<TermFeature, number> {
  const name = spelling(candidate);
  const words = splitWords(name);
  const lower = words.map((word) => word.toLowerCase());
  const { evidence, share = 1 } = candidate;
  const met = [...candidate.names.values()].reduce((sum, count) => sum + count, 0);
  const total = met * share;
  const [first, last] = [lower[0] ?? '', lower.at(-1) ?? ''];
  const shown = (...kinds: EvidenceKind[]) => timesShown(evidence, ...kinds);
  const log = (...kinds: EvidenceKind[]) => Math.log1p(shown(...kinds));
  const flag = (test: boolean) => (test ? 1 : 0);
  const small = name === name.toLowerCase();
  const tokens = name.split(/\s+/);
  const marked = shown('title', 'heading', 'link', 'strong', 'em', 'item', 'cell');
  const kinds = Object.keys(evidence).filter((kind) => !MINOR.has(kind)).length;
  const capitals = tokens.length > 1 && tokens.every((token) => /^\p{Lu}/u.test(token));
  const common = lower.map((word) => COMMON.has(word));
  const verb = verbForm(first);
  // How much more often the word stands here than in documentation at large; of several words the rarest.
  const usual = Math.min(...lower.map((word) => Math.max(usualShare(word), usualShare(singularWord(word)))));
  const keyness = Math.max(-2, Math.min(6, Math.log((met + 0.5) / (candidate.words + 500)) - usual)) / 3;
  return {
    bias: 1,
    title: log('title'),
    heading: log('heading'),
    link: log('link'),
    code: log('code'),
    item: log('item'),
    node: log('node'),
    camel: log('camel'),
    capital: log('capital'),
    acronym: log('acronym'),
    object: log('object'),
    total: Math.log1p(total),
    documents: Math.log1p(candidate.documents),
    words2: flag(words.length === 2),
    words3: flag(words.length === 3),
    words4: flag(words.length > 3),
    allCommon: flag(common.every(Boolean)),
    lastCommon: flag(common.at(-1) ?? false),
    firstCommon: flag(common[0] ?? false),
    lower: flag(small),
    mixed: flag(shapeOf(tokens[0] ?? '') === 'camel'),
    shout: flag(name === name.toUpperCase() && name.length > 5),
    snake: flag(name.includes('_')),
    dotted: flag(/\p{L}\.\p{L}/u.test(name)),
    camelLower: flag(/^\p{Ll}+\p{Lu}/u.test(name)),
    digits: flag(/\d/.test(name)),
    head: flag(HEADS.has(last) && words.length > 1),
    adjectiveFirst: flag(words.length > 1 && (ADJECTIVES.has(first) || MODIFIER.has(first))),
    adjectiveOnly: flag(words.length === 1 && (ADJECTIVES.has(first) || MODIFIER.has(first))),
    verbFirst: flag(verb !== undefined && verb.form !== 'ing' && verb.verb > 0.5 && words.length > 1),
    ingFirst: flag(first.endsWith('ing') && words.length > 1 && verb !== undefined),
    documentWord: flag(DOCUMENT_WORDS.has(last)),
    closed: flag(
      lower.some(
        (word) =>
          DETERMINER.has(word) ||
          PREPOSITION.has(word) ||
          PRONOUN.has(word) ||
          BE.has(word) ||
          CONJUNCTION.has(word) ||
          SUBORDINATOR.has(word),
      ),
    ),
    capitalShare: shown('capital', 'camel', 'acronym') / (total + 1),
    codeShare: shown('code') / (total + 1),
    objectShare: shown('object') / (total + 1),
    plural: flag(last.endsWith('s') && !last.endsWith('ss')),
    short: flag(name.length < 4),
    hyphenAdjective: flag(
      /-(?:based|specific|level|wide|aware|only|related|like|style|free|defined|term|time|off|in|up|out|to|end|enabled|managed|side|driven|native|oriented)$|^(?:non|per|multi|pre|post|sub|re|cross|self|up|high|low|long|short|first|second|well|out|in|on)-/.test(
        name.toLowerCase(),
      ),
    ),
    markedLower: small ? Math.log1p(marked) : 0,
    oneSource: flag(kinds <= 1),
    known: flag(NAMES.has(name.toLowerCase())),
    initials: flag(INITIALS.has(name.toUpperCase()) || INITIALS.has(last.toUpperCase().replace(/S$/, ''))),
    // "Maximum", "Track": a plain word with the capital of a label.
    capitalWord: flag(
      words.length === 1 &&
        shapeOf(name) === 'capital' &&
        ((common[0] ?? false) || verb !== undefined || ADJECTIVES.has(first)),
    ),
    startsWithName: flag(words.length > 1 && NAMES.has(tokens[0]!.toLowerCase())),
    compound: flag(COMPOUNDS.has(normalKey(name))),
    marks: Math.log1p(marked + shown('code')),
    actsMarked: flag(marked > 0 && shown('subject') > 0),
    markedTwice: flag(marked > 1 && total > 3),
    listedOnce: flag(shown('listed', 'row') > 0),
    keyness,
    keynessLower: small ? keyness : 0,
    agentive: (shown('subject') + 0.3) / (shown('subject', 'object') + 1),
    markedOften: flag(marked > 3 && shown('subject', 'object') > 1),
    capitals: flag(capitals && shown('capital') > 0),
    codeHyphen: flag(shapeOf(name) === 'hyphen' && shown('code') > 0),
    codeHead: flag(words.length > 1 && HEADS.has(last) && shown('code') > 0),
    acts: flag(shown('subject') > 0 && !small),
    linkCapital: flag(shown('link') > 0 && !small),
    actor: log('actor'),
    target: log('target'),
    setting: log('setting'),
    actorShare: shown('actor', 'target') / (total + 2),
    actorLower: flag(small && shown('actor') > 0),
    targetLower: flag(small && shown('target') > 0),
    singleCommonLower: flag(small && words.length === 1 && (common[0] ?? false)),
  };
}
