// What a document shows of possible names: each with the spellings it was met in and the ways in which it was shown.

import type { Token } from '../text/tokens.ts';
import { normalKey } from './keys.ts';

/** The ways in which a text shows that something is a name. New ones go to the end: stored surveys count by position. */
export const EVIDENCE = [
  'title',
  'heading',
  'link',
  'code',
  'strong',
  'em',
  'item',
  'cell',
  'camel',
  'capital',
  'acronym',
  'hyphen',
  'subject',
  'defined',
  'object',
  'abbreviated',
  'node',
  'listed',
  'row',
  'actor',
  'target',
  'setting',
] as const;
export type EvidenceKind = (typeof EVIDENCE)[number];

export interface Candidate {
  /** Spellings and how often each was met. */
  names: Map<string, number>;
  evidence: Partial<Record<EvidenceKind, number>>;
  /** Nouns that said what it is: "X is a storage engine". */
  kinds: Map<string, number>;
}

export interface Survey {
  candidates: Map<string, Candidate>;
  /** Abbreviations given in the text, key to key. */
  short: Map<string, string>;
  /** Words read. */
  words: number;
}

export const MAX_WORDS = 5;
const MAX_LENGTH = 60;
const MAX_CANDIDATES = 20_000;

export function emptySurvey(): Survey {
  return { candidates: new Map(), short: new Map(), words: 0 };
}

/** Counts a phrase as a candidate, unless it cannot be a name. */
export function addPhrase(
  survey: Survey,
  tokens: readonly Token[],
  kind: EvidenceKind | undefined,
): Candidate | undefined {
  if (
    tokens.length === 0 ||
    tokens.length > MAX_WORDS ||
    tokens.some((token) => token.mark && token.text !== '/')
  )
    return undefined;
  const name = tokens
    .map(
      (token, at) =>
        (at > 0 && !token.joined ? ' ' : '') +
        token.text +
        (token.owner && at < tokens.length - 1 ? "'s" : ''),
    )
    .join('');
  return isPossible(name, tokens) ? addName(survey, name, kind) : undefined;
}

export function addName(survey: Survey, name: string, kind: EvidenceKind | undefined): Candidate | undefined {
  const key = normalKey(name);
  if (key.length < 2) return undefined;
  let found = survey.candidates.get(key);
  if (!found) {
    if (survey.candidates.size >= MAX_CANDIDATES) return undefined;
    survey.candidates.set(key, (found = { names: new Map(), evidence: {}, kinds: new Map() }));
  }
  found.names.set(name, (found.names.get(name) ?? 0) + 1);
  if (kind !== undefined) found.evidence[kind] = (found.evidence[kind] ?? 0) + 1;
  return found;
}

/** How often a candidate was shown in one of these ways. */
export function timesShown(evidence: Candidate['evidence'], ...kinds: EvidenceKind[]): number {
  return kinds.reduce((sum, kind) => sum + (evidence[kind] ?? 0), 0);
}

export function addKind(candidate: Candidate | undefined, kind: string): void {
  candidate?.kinds.set(kind, (candidate.kinds.get(kind) ?? 0) + 1);
}

const IDENTIFIER = /^\p{L}[\p{L}\p{N}_.-]*$/u;
const FILE_NAME = /\.(?:[a-z]{1,5}\d?|[a-z]{2,5}\.[a-z]{2})$/;

/** Flags, paths, calls, versions, assignments and sentences are no names. */
function isPossible(name: string, tokens: readonly Token[]): boolean {
  if (name.length > MAX_LENGTH || !/\p{L}/u.test(name)) return false;
  if (!tokens.some((token) => token.code)) return true;
  return tokens.length === 1 && IDENTIFIER.test(name) && !FILE_NAME.test(name);
}
