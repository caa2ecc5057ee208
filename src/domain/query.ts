// A parsed word query: what every store compiles into its own search language.

export type QueryField = 'title' | 'heading';

export type WordNode =
  | { kind: 'term'; text: string; prefix?: boolean; field?: QueryField }
  | { kind: 'phrase'; words: string[]; field?: QueryField }
  | { kind: 'and' | 'or'; nodes: WordNode[] };

/**
 * `should` is ranked OR: any may match, blocks with all of them rank higher. `must` all match, `not` none may.
 * A query with `must` needs no match in `should`.
 */
export interface WordQuery {
  should: WordNode[];
  must: WordNode[];
  not: WordNode[];
  /** `# text` asks for headings: heading fields weigh three times as much. */
  headings: boolean;
  /** What could not be parsed as written and was searched as plain words. */
  notices: string[];
}

/** What having every word of a query is worth in a ranked OR. Strict tiers were measured to rank worse. */
export const ALL_WORDS_BOOST = 1.05;

/** What is looked for: whole words, also those of phrases, and beginnings of words. */
export function wordsOf({ should, must }: WordQuery): { whole: string[]; beginnings: string[] } {
  const [whole, beginnings]: [string[], string[]] = [[], []];
  const visit = (node: WordNode): void => {
    if (node.kind === 'term') (node.prefix ? beginnings : whole).push(node.text);
    else if (node.kind === 'phrase') whole.push(...node.words);
    else node.nodes.forEach(visit);
  };
  [...should, ...must].forEach(visit);
  return { whole, beginnings };
}
