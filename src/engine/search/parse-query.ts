// The query language: `a b` (either, both rank first), `"a phrase"` and `+a` (required), `-a` and `NOT a` (excluded),
// `a AND b`, `a OR b`, brackets, `pre*`, `title:a`, `heading:a`, `# text` (headings). Any string parses: what does not
// balance is searched as plain words, with a notice. In a sentence, signs and capitals are those of its text.

import type { QueryField, WordNode, WordQuery } from '../../domain/query.ts';
import { MAX_TERMS as MOST_IN_PHRASE } from '../../domain/words/plan.ts';
import { termsIn } from '../../domain/words/tokens.ts';
import { tidyWord, tokenizeQuery, type QueryToken } from './query-tokens.ts';

const MAX_LENGTH = 5000;
const MAX_TERMS = 64;
const MAX_DEPTH = 10;
const HEADINGS = /^#(?:\s+|$)/;
/** Words that sentences have and lists of search words do not. */
const SENTENCE =
  /^(?:how|what|why|when|where|which|who|whose|is|are|was|were|do|does|did|can|could|should|would|will|must|i|we)(?:['’]\p{L}+)?$/iu;

export function parseQuery(input: string): WordQuery {
  const query: WordQuery = { should: [], must: [], not: [], headings: false, notices: [] };
  let text = input.normalize('NFC').trim();
  if (text.length > MAX_LENGTH) {
    text = text.slice(0, MAX_LENGTH);
    query.notices.push('Only the first 5,000 characters of the query were used.');
  }
  if (HEADINGS.test(text)) {
    query.headings = true;
    text = text.replace(HEADINGS, '');
  }
  const tokens = tokenizeQuery(text);
  if (tokens && !isTooDeep(tokens)) {
    const sentence = isSentence(tokens);
    if (sentence && tokens.some(({ kind }) => kind === 'not' || kind === 'plus'))
      query.notices.push(
        'In a sentence +, - and NOT are plain text: they neither require nor exclude words.',
      );
    const meant = sentence ? tokens.filter(({ kind }) => !isOperator(kind)) : withoutStray(tokens);
    new QueryParser(limitTerms(meant, query), query).parse();
  } else {
    const reason = tokens ? 'The brackets are nested too deep' : 'Quotes or brackets do not match';
    query.notices.push(`${reason}: the query was searched as plain words.`);
    const words = text.split(/[\s"“”„():]+/).map(tidyWord);
    const plain = words
      .filter((word) => word !== '' && !/^(?:AND|OR|NOT)$/.test(word))
      .map((word): QueryToken => ({ kind: 'word', text: word }));
    new QueryParser(limitTerms(plain, query), query).parse();
  }
  if (query.not.length > 0 && query.should.length + query.must.length === 0) {
    // A flag by itself (`-config.file`) begins like an excluded word; who excludes everything asks for nothing.
    query.should = query.not.splice(0).flatMap(wordsIn).map(term);
    query.notices.push('The query only excludes words, so it was searched as plain text.');
  }
  query.should = distinct(query.should);
  return query;
}

/**
 * A question with its phrases as words that may be missing, for where no text holds them as written. Undefined where it
 * requires or excludes anything else, or is a phrase alone: who asks for nothing else wants those words.
 */
export function withoutPhrases(query: WordQuery): WordQuery | undefined {
  const text = query.not.length === 0 ? asText(query) : undefined;
  const notice = `No text contains ${query.must.map(asTyped).join(' and ')} as written; the words were searched instead.`;
  return text && { ...text, notices: [...text.notices, notice] };
}

/** A question with what it quotes and excludes as words, as in a pasted message or command. Undefined as above. */
export function asText(query: WordQuery): WordQuery | undefined {
  const { should, must, not } = query;
  if (must.length + not.length === 0 || should.length === 0 || must.some(({ kind }) => kind !== 'phrase'))
    return undefined;
  const words = [...must, ...not].flatMap(wordsIn).map(term);
  return { ...query, should: distinct([...should, ...words]), must: [], not: [] };
}

function term(text: string): WordNode {
  return { kind: 'term', text };
}

function wordsIn(node: WordNode): string[] {
  if (node.kind === 'term') return [node.text];
  return node.kind === 'phrase' ? node.words : node.nodes.flatMap(wordsIn);
}

/** The text of a part as it would be typed; alike for parts that ask for the same. */
export function asTyped(node: WordNode): string {
  if (node.kind === 'term') return `${fieldPrefix(node.field)}${node.text}${node.prefix ? '*' : ''}`;
  if (node.kind === 'phrase') return `${fieldPrefix(node.field)}"${node.words.join(' ')}"`;
  return `(${node.nodes.map(asTyped).join(node.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function fieldPrefix(field: QueryField | undefined): string {
  return field ? `${field}:` : '';
}

/** Phrases and words of a field are, without a sign. */
function isRequired(node: WordNode): boolean {
  return node.kind === 'phrase' || (node.kind === 'term' && node.field !== undefined);
}

function isTooDeep(tokens: readonly QueryToken[]): boolean {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Words in quotes, of a field and after a sign are looked for as they are, and say nothing of the others. */
function isSentence(tokens: readonly QueryToken[]): boolean {
  return tokens.some((token, at) => {
    if (token.kind !== 'word' || token.prefix || token.field) return false;
    const before = tokens[at - 1]?.kind;
    return before !== 'not' && before !== 'plus' && SENTENCE.test(token.text);
  });
}

function isOperator(kind: QueryToken['kind']): boolean {
  return kind === 'and' || kind === 'or' || kind === 'not' || kind === 'plus';
}

/** An operator with nothing to work on is a word that happens to be in capitals. */
function withoutStray(tokens: readonly QueryToken[]): QueryToken[] {
  const out: QueryToken[] = [];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]?.kind;
    const before = out.at(-1)?.kind;
    const canStart = next !== undefined && next !== 'close' && next !== 'and' && next !== 'or';
    const canEnd = before === 'word' || before === 'phrase' || before === 'close';
    if ((token.kind === 'and' || token.kind === 'or') && !(canStart && canEnd))
      out.push({ kind: 'word', text: token.kind });
    else if ((token.kind === 'not' || token.kind === 'plus') && !canStart) {
      if (token.kind === 'not') out.push({ kind: 'word', text: 'not' });
    } else out.push(token);
  }
  return out;
}

function limitTerms(tokens: readonly QueryToken[], query: WordQuery): QueryToken[] {
  let terms = 0;
  const kept: QueryToken[] = [];
  for (const token of tokens) {
    if (token.kind === 'word') terms += 1;
    if (token.kind === 'phrase') terms += token.words.length;
    if (terms <= MAX_TERMS) kept.push(token);
  }
  if (terms > MAX_TERMS) query.notices.push(`Only the first ${MAX_TERMS} words of the query were used.`);
  if (kept.some((token) => token.kind === 'phrase' && termsIn(token.words.join(' ')).length > MOST_IN_PHRASE))
    query.notices.push(`Of a longer phrase the first ${MOST_IN_PHRASE} words are looked for.`);
  return kept;
}

function distinct(nodes: readonly WordNode[]): WordNode[] {
  const seen = new Set<string>();
  return nodes.filter((node) => {
    const key = asTyped(node).toLowerCase();
    return seen.has(key) ? false : seen.add(key);
  });
}

/** What a part of the query asks for: a node, and what it excludes. Empty brackets ask for nothing. */
interface Part {
  node?: WordNode;
  sign?: '+' | '-';
  /** Several parts side by side. */
  parts?: Part[];
}

class QueryParser {
  readonly #tokens: readonly QueryToken[];
  readonly #query: WordQuery;
  #at = 0;

  constructor(tokens: readonly QueryToken[], query: WordQuery) {
    this.#tokens = tokens;
    this.#query = query;
  }

  parse(): void {
    while (this.#peek()) this.#place(this.#or(undefined));
  }

  #peek(): QueryToken['kind'] | undefined {
    return this.#tokens[this.#at]?.kind;
  }

  /** Decides where a part of the top level belongs. */
  #place({ node, sign, parts }: Part): void {
    if (parts) return parts.forEach((part) => this.#place(part));
    if (!node) return;
    if (sign === '-') this.#query.not.push(...(node.kind === 'or' ? node.nodes : [node]));
    else if (node.kind === 'and') for (const inner of node.nodes) this.#place({ node: inner, sign: '+' });
    else if (sign === '+' || isRequired(node)) this.#query.must.push(node);
    else if (node.kind === 'or' && node.nodes.every((inner) => inner.kind === 'term' && !inner.field))
      this.#query.should.push(...node.nodes);
    else this.#query.should.push(node);
  }

  #or(field: QueryField | undefined): Part {
    const first = this.#and(field);
    if (this.#peek() !== 'or') return first;
    const parts = [first];
    while (this.#peek() === 'or') {
      this.#at += 1;
      parts.push(this.#and(field));
    }
    return { node: join('or', this.#positive(parts)) };
  }

  #and(field: QueryField | undefined): Part {
    const first = this.#unary(field);
    if (this.#peek() !== 'and') return first;
    const parts = [first];
    while (this.#peek() === 'and') {
      this.#at += 1;
      parts.push(this.#unary(field));
    }
    return { node: join('and', this.#positive(parts)), sign: '+' };
  }

  /** Takes one token at least, unless the group or the query ends here. */
  #unary(field: QueryField | undefined): Part {
    const token = this.#tokens[this.#at];
    if (!token || token.kind === 'close') return {};
    this.#at += 1;
    if (token.kind === 'plus' || token.kind === 'not') {
      const part = this.#unary(field);
      // `NOT NOT a` asks for a.
      const sign = token.kind === 'plus' ? (part.sign ?? '+') : part.sign === '-' ? '+' : '-';
      return { node: this.#nodeOf(part), sign };
    }
    if (token.kind === 'open') return this.#group(token.field ?? field);
    const scope = (own = field): { field?: QueryField } => (own ? { field: own } : {});
    if (token.kind === 'phrase')
      return { node: { kind: 'phrase', words: token.words, ...scope(token.field) } };
    if (token.kind === 'word') {
      const prefix = token.prefix ? { prefix: true } : {};
      return { node: { kind: 'term', text: token.text, ...prefix, ...scope(token.field) } };
    }
    return {};
  }

  /** Up to the bracket that closes it, or the end of what is used. */
  #group(field: QueryField | undefined): Part {
    const parts: Part[] = [];
    while (this.#peek() && this.#peek() !== 'close') parts.push(this.#or(field));
    this.#at += 1;
    return parts.length === 1 ? parts[0]! : { parts };
  }

  /** What stands side by side inside an expression is an OR. */
  #nodeOf({ node, parts }: Part): WordNode | undefined {
    return parts ? join('or', this.#positive(parts)) : node;
  }

  /** A store cannot exclude inside an expression, so what is excluded there is excluded altogether. */
  #positive(parts: readonly Part[]): WordNode[] {
    return parts.flatMap((part) => {
      const node = this.#nodeOf(part);
      if (!node) return [];
      if (part.sign !== '-') return [node];
      this.#query.not.push(...(node.kind === 'or' ? node.nodes : [node]));
      return [];
    });
  }
}

function join(kind: 'and' | 'or', nodes: readonly WordNode[]): WordNode | undefined {
  const flat = nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node]));
  return flat.length > 1 ? { kind, nodes: flat } : flat[0];
}
