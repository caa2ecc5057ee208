// Words that name a relation by themselves: a heading "Dependencies", a key "Owner:", a column "Consumed by", the label of
// an arrow. The same meanings as in sentences, and nouns for them.

import { sentencesOf } from '../text/tokens.ts';
import { verbForm } from '../words/verbs.ts';
import { meaningOf, type Kind, type Meaning } from './meanings.ts';

const MAX_WORDS = 5;

/** Nouns, and which way they point: `<` where what is listed is the one that does it. */
const NOUNS: Record<string, Kind> = {};
const TURNED = new Set<string>();
for (const [kind, nouns] of [
  ['DEPENDS_ON', 'dependency requirement prerequisite upstream'],
  ['USES', 'datastore database store storage queue broker backend cache integration protocol'],
  ['<OWNS', 'owner maintainer team contact'],
  ['<CONSUMES', 'consumer subscriber listener'],
  ['<PRODUCES', 'producer publisher'],
  ['<USES', 'caller client user downstream'],
  ['PART_OF', 'parent system'],
] as const)
  for (const noun of nouns.split(' ')) {
    NOUNS[noun] = kind.replace('<', '') as Kind;
    if (kind.startsWith('<')) TURNED.add(noun);
  }

const SKIPPED = new Set('the a an this which is are was of its it'.split(' '));

/** What the label of an arrow says: a relation only if it is nothing but one, and not "create order". */
export function arrowMeaning(label: string): Meaning | undefined {
  const [, second] = label.trim().toLowerCase().split(/\s+/);
  const alone = second === undefined || /^(?:by|on|to|from|in|into|with|via)$/.test(second);
  return alone ? labelMeaning(label) : undefined;
}

/** What a label says; undefined where it names no relation. */
export function labelMeaning(label: string): Meaning | undefined {
  const tokens = sentencesOf(
    { text: label.slice(0, 80).replaceAll(/[_*`]/g, ' '), marks: [], breaks: [] },
    1,
  ).flat();
  const words = tokens
    .filter((token) => !token.mark && !SKIPPED.has(token.lower))
    .map((token) => token.lower);
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  const at = words.findIndex((word) => verbForm(word) !== undefined);
  const verb = at === -1 ? undefined : verbForm(words[at]!)!;
  if (verb && verb.verb > 0.5 && (at === 0 || verb.form === 'past')) {
    // "Events published": what is done with what is listed.
    if (at > 0)
      return said(
        meaningOf({
          lemma: verb.lemma,
          preposition: undefined,
          noun: undefined,
          passive: false,
          means: false,
        }),
      );
    const preposition = words.slice(1).find((word) => /^(?:by|on|to|from|in|into|with|via)$/.test(word));
    const passive = verb.form === 'past' && preposition !== undefined;
    return said(meaningOf({ lemma: verb.lemma, preposition, noun: undefined, passive, means: false }));
  }
  const noun = singular(words.at(-1)!);
  const kind = words.length <= 2 ? NOUNS[noun] : undefined;
  return kind === undefined ? undefined : { kind, reverse: TURNED.has(noun), clear: 2 };
}

/** A label counts only if its meaning is known. */
function said(meaning: Meaning | undefined): Meaning | undefined {
  return meaning && meaning.clear > 0 ? meaning : undefined;
}

function singular(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/([^s])s$/, '$1');
}

/** `Owner: …`, `**Depends on:** …`: the key and what stands behind it. */
export function keyLine(text: string): { key: string; value: string } | undefined {
  const line = text.trim();
  const colon = line.indexOf(':');
  if (colon < 2 || colon > 40 || line.includes('\n\n')) return undefined;
  const key = line.slice(0, colon).replaceAll(/[*_]/g, '').trim();
  const value = line
    .slice(colon + 1)
    .replace(/^[*_]{1,2}/, '')
    .trim();
  return value === '' || value.length > 300 || !/^\p{L}[\p{L} -]*$/u.test(key) ? undefined : { key, value };
}
