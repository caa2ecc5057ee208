// Tells the type of a name: by the schema's own words and lists, by what it is known as, by its last word, by what a text
// says it is.

import { OTHER_TYPE, type GraphSchema } from '../../domain/graph.ts';
import { FAMILIES, MANIFEST_TYPES } from './families.ts';
import { singularWord, splitWords } from './terms/keys.ts';

export interface Kinds {
  /** By name alone, or by the nouns that were said of it; undefined when nothing tells. */
  typeOf(name: string, said?: readonly string[]): string | undefined;
  /** The schema's type for what a manifest or a drawing names directly; undefined where it has none. */
  declared(kind: keyof typeof MANIFEST_TYPES): string | undefined;
}

export function buildKinds(schema: GraphSchema): Kinds {
  const types = new Map(schema.entityTypes.map((type) => [normal(type), type]));
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => types.get(name)).find((type) => type !== undefined);
  const byWord = new Map<string, string>();
  const byName = new Map<string, string>();
  const learn = (name: string, type: string) => {
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), type);
  };
  for (const [type, names] of Object.entries(schema.lexicon ?? {})) {
    const own = types.get(normal(type));
    if (own !== undefined) for (const name of names) learn(name, own);
  }
  for (const [upper, type] of types)
    if (upper !== OTHER_TYPE && !MANIFEST_TYPES.concept.includes(upper))
      byWord.set(upper.toLowerCase().split('_').at(-1)!, type);
  for (const family of FAMILIES) {
    const type = first(family.types);
    if (type === undefined) continue;
    for (const word of family.words) if (!byWord.has(word)) byWord.set(word, type);
    for (const name of family.known) learn(name, type);
  }
  const ofWord = (word: string): string | undefined => byWord.get(word) ?? byWord.get(singularWord(word));
  return {
    typeOf(name, said = []) {
      const known = byName.get(name.toLowerCase());
      if (known !== undefined) return known;
      const words = splitWords(name).map((word) => word.toLowerCase());
      if (words.length > 1 && words[0] === 'team') return ofWord('team');
      const own = words.length > 1 ? ofWord(words.at(-1)!) : undefined;
      return own ?? said.map(ofWord).find((type) => type !== undefined);
    },
    declared: (kind) => first(MANIFEST_TYPES[kind]),
  };
}

function normal(type: string): string {
  return type.toUpperCase().replaceAll(/[\s-]+/g, '_');
}
