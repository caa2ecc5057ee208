// What a question, or a title, is about when the words that only ask are taken off its ends: "what exactly is a Pod and
// why would I want it" asks about "Pod". Names are compared by their key, so that case, plural, hyphens and marks do
// not matter.

import { graphKey } from './name-key.ts';

/** Words that ask, introduce or point, and name nothing by themselves. Taken off the ends only. */
const ASKING = new Set(
  (
    'a about an and are as at basics be brief briefly by can concept could define definition definitions describe detail details do does did ' +
    'docs documentation exactly explain explained explanation for from give guide help how i in intro introducing introduction is it its ' +
    'just know learn like mean meaning means me my need of on or our overview page please purpose read reference say short should show simple ' +
    'simply so some summarise summarize summary tell term terms that the their there these this those to understand understanding us use ' +
    'used uses using want was we were what whats when where which who whose why will with word work working works would you your'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}+#]+(?:['’]\p{L}+)*/gu;
/** Longer questions are asked for no page by name. */
const MAX_WORDS = 24;
const MAX_NAME = 200;

export interface Subject {
  key: string;
  /** As it was written, from its first word to its last. */
  text: string;
}

/** The key of a page's name: marks around and between its words do not count. */
export function pageKey(name: string): string {
  return graphKey((name.slice(0, MAX_NAME).match(WORD) ?? []).join(' '));
}

/** Keys of all names a page goes by: its title, the title without asking words, and both halves of "Name (NAME)". */
export function pageNames(title: string): string[] {
  const core = subjectsOf(title).at(-1)?.text ?? '';
  const names = [title, ...(ASKING.has(core.toLowerCase()) ? [] : [core])];
  const open = title.indexOf('(');
  const close = title.indexOf(')', open);
  if (open > 0 && close > open && title.slice(close + 1).trim() === '')
    names.push(title.slice(0, open), title.slice(open + 1, close));
  return [...new Set(names.map(pageKey))].filter((key) => key !== '');
}

/** Everything the text may be about, the whole of it first and then the longer the earlier. */
export function subjectsOf(text: string): Subject[] {
  const words = [...text.slice(0, 1_000).matchAll(WORD)];
  if (words.length === 0 || words.length > MAX_WORDS) return [];
  const asks = words.map(([word]) => ASKING.has(word.toLowerCase().replaceAll(/['’]/g, '')));
  // A question of asking words alone may still end in a name: "what is use".
  const core = asks.includes(false)
    ? { from: asks.indexOf(false), to: asks.lastIndexOf(false) + 1 }
    : { from: words.length - 1, to: words.length };
  const subjects = new Map<string, Subject>();
  for (const { from, to } of spans(words.length, core)) {
    const end = words[to - 1]!;
    const written = text.slice(words[from]!.index, end.index + end[0].length);
    const key = pageKey(written);
    // Of several spellings of one key, as with and without an article, the shortest.
    if (key !== '') subjects.set(key, { key, text: written });
  }
  return [...subjects.values()];
}

/** From the whole down to the core, longest first. */
function spans(count: number, core: { from: number; to: number }): { from: number; to: number }[] {
  const all: { from: number; to: number }[] = [];
  for (let from = 0; from <= core.from; from++)
    for (let to = count; to >= core.to; to--) all.push({ from, to });
  return all.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
}
