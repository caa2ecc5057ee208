// YAML and JSON (which is YAML) with the line of every value.

import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';

const MAX_TEXT = 400_000;
const MAX_DOCUMENTS = 100;

export interface Yaml {
  roots: YAMLMap[];
  line: (node: unknown) => number;
}

export function readYaml(text: string, startLine: number): Yaml | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const counter = new LineCounter();
  const roots: YAMLMap[] = [];
  try {
    let seen = 0;
    for (const document of documentsOf(text, counter)) {
      if (document.errors.length === 0 && isMap(document.contents)) roots.push(document.contents);
      if (++seen === MAX_DOCUMENTS) break;
    }
  } catch {
    return undefined;
  }
  return {
    roots,
    line: (node) => {
      const offset = (node as Node | undefined)?.range?.[0];
      return startLine - 1 + (offset === undefined ? 1 : counter.linePos(offset).line);
    },
  };
}

/** One after the other. Whether keys differ is not checked: the library compares each with all. */
function documentsOf(text: string, counter: LineCounter): Iterable<Document> {
  const tokens = new Parser(counter.addNewLine).parse(text);
  return new Composer({ logLevel: 'silent', strict: false, uniqueKeys: false }).compose(tokens);
}

export const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');

export function scalar(node: unknown): string | undefined {
  return isScalar(node) && ['string', 'number'].includes(typeof node.value) ? String(node.value) : undefined;
}

/** The node at a path of keys; undefined where there is none, or an alias. */
export function at(node: unknown, ...path: string[]): unknown {
  let found = node;
  for (const key of path) found = isMap(found) ? found.get(key, true) : undefined;
  return isAlias(found) ? undefined : found;
}

export const textAt = (node: unknown, ...path: string[]): string | undefined => scalar(at(node, ...path));

export function pairs(node: unknown): Pair[] {
  return isMap(node) ? node.items.slice(0, 1000) : [];
}

export function items(node: unknown): unknown[] {
  return isSeq(node) ? node.items.slice(0, 1000) : [];
}

/** Texts of a list, keys of a map, or one text alone, each with its node. */
export function strings(node: unknown): { text: string; node: unknown }[] {
  if (isSeq(node))
    return items(node).flatMap((item) =>
      scalar(item) === undefined ? [] : [{ text: scalar(item)!, node: item }],
    );
  if (isMap(node)) return pairs(node).map((pair) => ({ text: keyOf(pair), node: pair.key }));
  const single = scalar(node);
  return single === undefined ? [] : [{ text: single, node }];
}
