// Search and retrieval in one: what `find` answers and what `blz search --json` and `blz get --json` print.

import { targetOf } from '../../domain/citation.ts';
import { VaiError } from '../../domain/errors.ts';
import { formatRange } from '../../domain/lines.ts';
import { requireScope, type Call } from '../call.ts';
import type { Cite } from '../cite/cite.ts';
import type { CiteNotice, Snippet } from '../cite/types.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections, type CollectionView } from '../scope.ts';
import type { Search } from '../search/search.ts';
import { searchSources } from './find-hits.ts';
import { maskFor } from './mask.ts';
import type { FindHit, FindRequest, FindResult, FindSnippet } from './types.ts';
import { isStale } from './views.ts';

export interface FindParts {
  deps: EngineDeps;
  search: Search;
  cite: Cite;
  /** Called with the time each search took. */
  timed: (ms: number) => void;
}

const DEFAULT_RESULTS = 10;
const MAX_RESULTS = 50;
const MAX_PADDING = 50;
/** Kept free for everything that is neither a hit nor a snippet. */
const RESERVE = 1500;

export async function find(parts: FindParts, call: Call, request: FindRequest): Promise<FindResult> {
  requireScope(call.principal, 'read');
  const query = request.query?.trim();
  if (query === '') throw invalid('`query` is empty.');
  if (query === undefined && !request.snippets?.length)
    throw invalid('Give a `query` to search, `snippets` to read, or both.');
  const notices: CiteNotice[] = [];
  const store = await openDatabase(parts.deps, call);
  const visible = await visibleCollections(store, call);
  const result: FindResult = {
    hits: [],
    snippets: [],
    executed: { searched: query !== undefined, retrievedSnippets: Boolean(request.snippets?.length) },
  };
  if (query !== undefined) {
    const limit = bounded('maxResults', request.maxResults ?? DEFAULT_RESULTS, [1, MAX_RESULTS], notices);
    const found = await searchSources(parts, call, { store, visible, query, limit, request, notices });
    Object.assign(result, found);
  }
  const room = request.all || request.page ? Infinity : parts.deps.settings.resultBudget - RESERVE;
  const budget = trimHits(result, room, notices);
  if (request.snippets?.length) {
    const padding =
      request.linePadding === undefined
        ? undefined
        : bounded('linePadding', request.linePadding, [0, MAX_PADDING], notices);
    const read = await parts.cite.read(call, {
      citations: request.snippets,
      ...(request.contextMode ? { mode: request.contextMode } : {}),
      ...(padding === undefined ? {} : { padding }),
      budget,
    });
    if (read.snippets.length === 0 && read.failed.length > 0 && result.hits.length === 0)
      throw allFailed(read.failed);
    const now = parts.deps.now();
    result.snippets = read.snippets.map((snippet) => toSnippet(snippet, visible, now));
    notices.push(...read.notices);
    for (const { citation, error } of read.failed)
      notices.push({ code: failureCode(error), message: error.messageAndHint, citation });
  }
  if (notices.length > 0) {
    const mask = maskFor(parts.deps.settings, call);
    result.notices = notices.map((notice) => ({ ...notice, message: mask(notice.message) }));
  }
  return result;
}

function toSnippet(snippet: Snippet, visible: readonly CollectionView[], now: Date): FindSnippet {
  const collection = visible.find((one) => one.name === snippet.collection);
  return {
    alias: targetOf(snippet),
    lines: formatRange(snippet.range),
    content: snippet.content,
    headingPath: snippet.headingPath,
    rev: snippet.sha256.slice(0, 8),
    ...(snippet.requested ? { requested: formatRange(snippet.requested) } : {}),
    ...(snippet.truncated ? { truncated: true } : {}),
    ...(snippet.next ? { next: snippet.next } : {}),
    ...(snippet.status ? { status: snippet.status } : {}),
    fetchedAt: snippet.fetchedAt,
    stale: collection ? isStale(collection, now) : false,
  };
}

/** Leaves out the last hits of an answer that would be too long; gives back what is left of the budget. */
function trimHits(result: FindResult, budget: number, notices: CiteNotice[]): number {
  // Writing hits only to measure them costs as much as the answer, so it is left where they fit anyway.
  if (!result.executed.retrievedSnippets && total(result.hits.map(mostOf)) <= budget) return budget;
  const sizes = result.hits.map((hit) => JSON.stringify(hit).length + 1);
  let used = 0;
  let kept = 0;
  while (kept < sizes.length && used + sizes[kept]! <= budget) used += sizes[kept++]!;
  if (kept < sizes.length) {
    result.hits = result.hits.slice(0, kept);
    notices.push({ code: 'budget', message: `Only ${kept} hits fit into the answer; ask for fewer.` });
  }
  return Math.max(2000, budget - used);
}

/** What a hit can take at most: six characters for one where all are escaped, and its numbers and names. */
function mostOf({ snippet, alias, headingPath, sourceUrl, pageUrl }: FindHit): number {
  const texts = [snippet, alias, ...headingPath, sourceUrl ?? '', pageUrl ?? ''];
  return 6 * total(texts.map((text) => text.length)) + 1000;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bounded(
  name: string,
  value: number,
  [low, high]: readonly [number, number],
  notices: CiteNotice[],
): number {
  const clamped = Math.min(high, Math.max(low, Math.trunc(value)));
  if (clamped !== value)
    notices.push({ code: 'clamped', message: `\`${name}\` is ${low} to ${high}; used ${clamped}.` });
  return clamped;
}

/** Every citation failed: not found when none of them could be, else a bad request that names each. */
function allFailed(failed: readonly { citation: string; error: VaiError }[]): VaiError {
  const first = failed[0]!.error;
  if (failed.length === 1) return first;
  const lines = failed
    .slice(0, 10)
    .map(({ citation, error }) => `${citation.slice(0, 80)}: ${error.message}`);
  const notFound = failed.every(({ error }) => error.notFound);
  return new VaiError(
    notFound ? first.code : 'INVALID_CITATION',
    `No citation could be read. ${lines.join(' ')}`,
    {
      hint: first.hint ?? 'Write alias:start-end, as in a hit.',
      suggestions: failed.flatMap(({ error }) => error.suggestions ?? []).slice(0, 5),
    },
  );
}

function failureCode(error: VaiError): string {
  return error.notFound ? 'source_not_found' : 'bad_citation';
}

function invalid(message: string): VaiError {
  return new VaiError('INVALID_INPUT', message, {
    hint: 'For example {"query": "test runner", "source": "bun"} or {"snippets": ["bun:304-324"]}.',
  });
}
