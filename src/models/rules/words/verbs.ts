// Verbs and their forms. Which words are verbs, and how often each form is one and not a noun ("requests", "stores"), was
// counted in permissively licensed documentation: see training/words.ts.

import { FAMILIES } from '../families.ts';
import words from './words.json' with { type: 'json' };

export type Form = 'base' | 's' | 'past' | 'ing';

export interface VerbForm {
  lemma: string;
  form: Form;
  /** How often this form is a verb where it could be a noun too, 0 to 1. */
  verb: number;
}

const IRREGULAR: Record<string, string> = Object.fromEntries(
  'arisen:arise|became:become|began:begin|begun:begin|bound:bind|broke:break|broken:break|brought:bring|built:build|bought:buy|caught:catch|chose:choose|chosen:choose|came:come|cut:cut|dealt:deal|drawn:draw|drew:draw|driven:drive|drove:drive|fed:feed|felt:feel|found:find|fit:fit|forgot:forget|froze:freeze|frozen:freeze|gave:give|given:give|got:get|gotten:get|grew:grow|grown:grow|heard:hear|held:hold|hid:hide|hidden:hide|hit:hit|kept:keep|knew:know|known:know|laid:lay|led:lead|left:leave|lent:lend|let:let|lost:lose|made:make|meant:mean|met:meet|overridden:override|overrode:override|overwritten:overwrite|paid:pay|put:put|ran:run|run:run|rebuilt:rebuild|risen:rise|rose:rise|rewritten:rewrite|said:say|saw:see|seen:see|sent:send|set:set|shown:show|shut:shut|sold:sell|spent:spend|split:split|spoken:speak|spread:spread|spun:spin|stood:stand|stuck:stick|taken:take|took:take|taught:teach|thought:think|thrown:throw|threw:throw|told:tell|understood:understand|undergone:undergo|withdrawn:withdraw|woken:wake|won:win|wound:wind|wrote:write|written:write|read:read|went:go|gone:go|done:do|overseen:oversee|fallen:fall|fell:fall|shrunk:shrink|torn:tear'
    .split('|')
    .map((pair) => pair.split(':') as [string, string]),
);

const LEMMAS = new Map<string, { base: number; s: number }>();
for (const entry of words.verbs.split(' '))
  LEMMAS.set(entry.slice(0, -2), { base: Number(entry.at(-2)) / 9, s: Number(entry.at(-1)) / 9 });
for (const [lemma, verb] of [
  ['go', 1],
  ['become', 1],
  ['do', 0],
  ['win', 0.9],
] as const)
  LEMMAS.set(lemma, { base: verb, s: verb });

export const ADJECTIVES: ReadonlySet<string> = new Set(words.adjectives.split(' '));
const FREQUENCY = new Map<string, number>();
const COMMON_WORDS = new Set<string>();
for (const entry of words.common.split(' ')) {
  const word = entry.startsWith('~') ? entry.slice(1, -1) : entry.slice(0, -1);
  // A digit is a step of 0.75 of the natural logarithm of the share of all words, from -12 on.
  FREQUENCY.set(word, Number(entry.at(-1)) * 0.75 - 12);
  if (!entry.startsWith('~')) COMMON_WORDS.add(word);
}

/** Words that documentation of every kind uses: no names by themselves. */
export const COMMON: ReadonlySet<string> = COMMON_WORDS;

/** Logarithm of the share that a lower-case word has of all words in documentation. */
export function usualShare(word: string): number {
  return FREQUENCY.get(word) ?? -12.5;
}

/** Names of products, protocols and standards that documentation of several projects writes with capitals. */
export const NAMES: ReadonlySet<string> = new Set(
  [...words.names.split(' '), ...FAMILIES.flatMap(({ known: names }) => names)].map((name) =>
    name.toLowerCase(),
  ),
);

const known = new Map<string, VerbForm | null>();

/** The verb a lower-case word may be a form of. */
export function verbForm(word: string): VerbForm | undefined {
  const there = known.get(word);
  if (there !== undefined) return there ?? undefined;
  const found = find(word);
  if (known.size > 50_000) known.clear();
  known.set(word, found ?? null);
  return found;
}

function find(word: string): VerbForm | undefined {
  if (word.length < 2 || word.length > 20) return undefined;
  const base = LEMMAS.get(word) ?? (/^.{3,}(?:ify|i[sz]e)$/.test(word) ? { base: 0.8, s: 0.8 } : undefined);
  if (base && !(word in IRREGULAR)) return { lemma: word, form: 'base', verb: base.base };
  const irregular = IRREGULAR[word];
  if (irregular !== undefined)
    return base
      ? { lemma: word, form: 'base', verb: base.base }
      : { lemma: irregular, form: 'past', verb: 0.9 };
  if (word.endsWith('ing')) {
    const lemma = stemOf(word.slice(0, -3));
    return lemma === undefined ? undefined : { lemma, form: 'ing', verb: 0.8 };
  }
  if (word.endsWith('ed')) {
    const lemma =
      stemOf(word.slice(0, -2)) ?? (LEMMAS.has(word.slice(0, -1)) ? word.slice(0, -1) : undefined);
    return lemma === undefined ? undefined : { lemma, form: 'past', verb: 0.9 };
  }
  if (!word.endsWith('s')) return undefined;
  for (const lemma of [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`]) {
    const there = LEMMAS.get(lemma) ?? (/^.{3,}(?:ify|i[sz]e)$/.test(lemma) ? { s: 0.8 } : undefined);
    if (there && sForm(lemma) === word) return { lemma, form: 's', verb: there.s };
  }
  return undefined;
}

function sForm(lemma: string): string {
  if (/[^aeiou]y$/.test(lemma)) return `${lemma.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|o)$/.test(lemma) ? `${lemma}es` : `${lemma}s`;
}

/** stor(ing) → store, mapp(ing) → map, appl(i)ed → apply, run(ning) → run. */
function stemOf(stem: string): string | undefined {
  const tries = [`${stem}e`, stem];
  if (stem.at(-1) === stem.at(-2)) tries.unshift(stem.slice(0, -1));
  if (stem.endsWith('i')) tries.push(`${stem.slice(0, -1)}y`);
  if (stem.endsWith('y')) tries.push(`${stem.slice(0, -1)}ie`);
  if (stem.endsWith('k')) tries.push(stem.slice(0, -1));
  // "manage" before "manag", "add" before "adde": the form that is a verb.
  return tries.find((one) => LEMMAS.has(one)) ?? tries.find((one) => /^.{3,}(?:ify|i[sz]e)$/.test(one));
}
