// Tells the type of a name from the schema's own words, the built-in families and the schema's lexicon.

import { entityKey, OTHER_TYPE, type GraphSchema } from '../../domain/graph.ts';
import { EXACT_CASE, FAMILIES, MANIFEST_TYPES } from './families.ts';

export interface Cues {
  /** Type of a name by its last word or because it is known; undefined when nothing says so. */
  typeOf(name: string): string | undefined;
  /** Type a word gives to the name before it ("orders database"), for a word in singular or plural. */
  typeOfWord(word: string): string | undefined;
  /** A name known without a cue that starts at this word, longest first. */
  known(words: readonly string[], at: number): { name: string; type: string; length: number } | undefined;
  /** The schema's type for a kind that a manifest names directly. */
  kind(kind: keyof typeof MANIFEST_TYPES): string;
  has(type: string): boolean;
}

export function singularWord(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function buildCues(schema: GraphSchema): Cues {
  const types = new Map(
    schema.entityTypes.map((type) => [type.toUpperCase().replaceAll(/[\s-]+/g, '_'), type]),
  );
  const byWord = new Map<string, string>();
  const byName = new Map<string, { name: string; type: string; exact: boolean }>();
  const learn = (name: string, type: string) => {
    const lower = name.toLowerCase();
    if (!byName.has(lower)) byName.set(lower, { name, type, exact: EXACT_CASE.has(lower) });
  };
  for (const [type, list] of Object.entries(schema.lexicon ?? {})) {
    const own = types.get(type.toUpperCase());
    if (own) for (const name of list) learn(name, own);
  }
  for (const [upper, type] of types) {
    if (upper === OTHER_TYPE || MANIFEST_TYPES.concept.includes(upper)) continue;
    const own = upper.toLowerCase().split('_');
    byWord.set(own.at(-1)!, type);
  }
  for (const family of FAMILIES) {
    const type = family.types.map((name) => types.get(name)).find((found) => found !== undefined);
    if (type === undefined) continue;
    for (const word of family.words) if (!byWord.has(word)) byWord.set(word, type);
    for (const name of family.known) learn(name, type);
  }
  const typeOfWord = (word: string) => {
    const lower = word.toLowerCase();
    return byWord.get(lower) ?? byWord.get(singularWord(lower));
  };
  return {
    typeOfWord,
    typeOf(name) {
      const known = byName.get(name.toLowerCase());
      if (known && (!known.exact || known.name === name)) return known.type;
      const parts = splitName(name);
      if (parts.length > 1 && /^team$/i.test(parts[0]!)) return typeOfWord('team');
      return parts.length > 1 ? typeOfWord(parts.at(-1)!) : undefined;
    },
    known(list, at) {
      for (let length = Math.min(3, list.length - at); length > 0; length--) {
        const found = byName.get(
          list
            .slice(at, at + length)
            .join(' ')
            .toLowerCase(),
        );
        if (found && (!found.exact || found.name === list.slice(at, at + length).join(' ')))
          return { name: found.name, type: found.type, length };
      }
      return undefined;
    },
    kind(kind) {
      return (
        MANIFEST_TYPES[kind].map((name) => types.get(name)).find((type) => type !== undefined) ?? OTHER_TYPE
      );
    },
    has: (type) => types.has(type.toUpperCase()),
  };
}

/** Words of a name: camelCase, snake_case, kebab-case and spaces all separate; `OrdersDB` is Orders, DB. */
export function splitName(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_./:-]+/)
    .filter((part) => part !== '');
}

export function sameName(a: string, b: string): boolean {
  return entityKey(a) === entityKey(b);
}
