// How names are told apart: the identity key of a name. Names merge by case, spacing, separators, camelCase and
// plural only; never by edit distance, because two short names one letter apart are usually two things.

import { entityKey } from './graph.ts';

/** Words that end in `s` without being a plural; abbreviations in capitals are left alone anyway. */
const NOT_PLURAL = new Set(
  'always analytics athens aws basics bus canvas css dns gas graphics has https ios its jenkins k8s kubernetes lens macos mathematics metrics news os paris physics plus politics postgres redis sales sas series species texas this tls us versus wales was windows yes'.split(
    ' ',
  ),
);

/** The singular of a lower-case English word; the word itself where it is not clearly a plural. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || NOT_PLURAL.has(word)) return word;
  const before = word.charCodeAt(word.length - 2);
  // ss, us, is: class, status, analysis.
  if (before === 115 || before === 117 || before === 105) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const POSSESSIVE = /['’]s$/u;

/**
 * The key of a name that needs no care: ASCII letters, digits, full stops and separators, the last a letter or digit
 * that is no `s`, and no article before it.
 */
function plainKey(name: string): string | undefined {
  const { length } = name;
  if (length === 0 || length > 256) return undefined;
  let separators = false;
  for (let at = 0; at < length; at += 1) {
    const code = name.charCodeAt(at);
    if (code > 122) return undefined;
    if (code >= 97 || (code >= 65 && code <= 90) || (code >= 46 && code <= 57)) continue;
    if (code !== 32 && code !== 45 && code !== 95) return undefined;
    separators = true;
  }
  const first = name.charCodeAt(0) | 32;
  const last = name.charCodeAt(length - 1) | 32;
  const isWord = (last >= 97 && last <= 122) || (last >= 48 && last <= 57);
  if (name.charCodeAt(0) === 32 || last === 115 || !isWord) return undefined;
  if (first === 116 && separators) return undefined;
  const lower = name.toLowerCase();
  return separators ? lower.replaceAll(/[ _-]+/g, '') : lower;
}

/** Identity of a name. `AuthService`, `auth service`, `auth-services` and `The Auth Service` are one. */
export function graphKey(name: string): string {
  return plainKey(name) ?? carefulKey(name);
}

function carefulKey(name: string): string {
  const trimmed = name.trim().replace(POSSESSIVE, '');
  const bare = /^the\s+\S/i.test(trimmed) ? trimmed.slice(4) : trimmed;
  const last = bare.split(/[^\p{L}\p{N}]+/u).at(-1);
  const key = entityKey(bare);
  if (!last?.endsWith('s') || last === last.toUpperCase()) return key;
  // The last part of a camelCase word is what carries the plural.
  const tail = last
    .split(/(?=\p{Lu})/u)
    .at(-1)!
    .toLowerCase();
  // `APIs`, `PDFs`: the plural of an abbreviation is the s alone.
  if (tail === 's') return key.slice(0, -1);
  if (/^[\p{Lu}\p{N}]{2,}s$/u.test(last)) return key.slice(0, -1);
  const base = singular(tail);
  return base === tail ? key : key.slice(0, key.length - tail.length) + base;
}
