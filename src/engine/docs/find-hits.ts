// The search half of `find`: the hits of a page, and each hit in the shape of the blz toolset.

import { plural } from '../../domain/text.ts';
import { targetOf } from '../../domain/citation.ts';
import { VaiError } from '../../domain/errors.ts';
import { formatRange } from '../../domain/lines.ts';
import { oncePerKey } from '../../domain/once.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { CiteNotice } from '../cite/types.ts';
import type { CollectionView } from '../scope.ts';
import type { SearchHit, SearchResult } from '../search/types.ts';
import type { FindParts } from './find.ts';
import { choosesHeadings, underHeadings } from './heading-filter.ts';
import { keptPages, pageAt } from './pages.ts';
import { versionOf } from '../project/docs-version.ts';
import { chooseSources } from './sources.ts';
import type { FindHit, FindRequest, FindResult } from './types.ts';
import { isStale, urlOf } from './views.ts';
import { plainerForm } from './word-forms.ts';

/** As deep as the ranking goes. */
const REACH = 1000;
/** Characters of a snippet, about. */
const EXCERPT = 200;
/** A looser search is added to fewer hits than this, however many were asked for: their number does not depend on the page. */
const FEW = 50;

interface SearchInput {
  store: Store;
  visible: readonly CollectionView[];
  query: string;
  limit: number;
  request: FindRequest;
  notices: CiteNotice[];
}

type Found = Pick<
  FindResult,
  'hits' | 'totalHits' | 'totalIsBound' | 'verdict' | 'scope' | 'page' | 'nextPage'
>;

export async function searchSources(parts: FindParts, call: Call, input: SearchInput): Promise<Found> {
  const { request, notices } = input;
  const { from, to } = span(input);
  const { answer, more } = await ranked(parts, call, input, to);
  parts.timed(answer.timeMs);
  notices.push(...answer.notices);
  for (const message of answer.warnings) notices.push({ code: 'warning', message });
  const { page, minRelevance = 0 } = request;
  const shown = answer.hits.slice(from, to).filter((hit) => hit.relevance >= minRelevance);
  return {
    hits: await asHits(parts, input, shown),
    totalHits: answer.total,
    ...(answer.totalIsBound ? { totalIsBound: true as const } : {}),
    verdict: answer.verdict,
    ...(answer.scope ? { scope: answer.scope } : {}),
    ...(page === undefined ? {} : { page }),
    ...(page !== undefined && more && to + input.limit <= REACH ? { nextPage: page + 1 } : {}),
  };
}

/** The hits asked for, counted from the best one. */
function span({ request, limit }: SearchInput): { from: number; to: number } {
  if (request.all) return { from: 0, to: REACH };
  const to = (request.page ?? 1) * limit;
  if (to > REACH)
    throw new VaiError('INVALID_INPUT', `Hits beyond the first ${REACH} cannot be reached.`, {
      hint: 'Narrow the query, or name a source.',
    });
  return { from: to - limit, to };
}

/** The best hits up to `to`, of those that were chosen by their heading. */
async function ranked(
  parts: FindParts,
  call: Call,
  input: SearchInput,
  to: number,
): Promise<{ answer: SearchResult; more: boolean }> {
  const { store, visible, request } = input;
  const collections = chooseSources(visible, request.source, input.notices);
  // A configured default collection narrows other toolsets; here a source left out means all, or all of the project.
  const wide = request.source !== undefined || !parts.deps.settings.project;
  const named = collections ?? (wide ? ['*'] : undefined);
  const query = request.headingsOnly ? `# ${input.query}` : input.query;
  const ask = (text: string, count: number) =>
    parts.search.run(call, {
      query: text,
      ...(named ? { collections: named } : {}),
      ...(request.version ? { version: request.version } : {}),
      mode: 'words',
      limit: count,
      blocks: true,
      judgeByWords: true,
      excerpt: request.maxChars ?? EXCERPT,
    });
  const askTwice = async (count: number): Promise<SearchResult> => {
    const answer = await ask(query, count);
    const form = plainerForm(query);
    if (!form || answer.total === 0 || answer.total >= FEW) return answer;
    const all = count < FEW ? await ask(query, FEW) : answer;
    appendBelow(all, await ask(form, FEW));
    return all;
  };
  if (!choosesHeadings(request)) {
    const answer = await askTwice(to);
    return { answer, more: answer.hits.length > to || answer.nextCursor !== undefined };
  }
  const answer = await askTwice(REACH);
  const hits = await underHeadings(store, answer.hits, request);
  if (hits.length === 0 && answer.hits.length > 0)
    input.notices.push({
      code: 'headings',
      message: `No heading among ${plural(answer.hits.length, 'hit')} fits.`,
    });
  const totalIsBound = answer.nextCursor !== undefined;
  return { answer: { ...answer, hits, total: hits.length, totalIsBound }, more: hits.length > to };
}

async function asHits(
  parts: FindParts,
  { store, visible }: SearchInput,
  hits: readonly SearchHit[],
): Promise<FindHit[]> {
  const byName = new Map(visible.map((collection) => [collection.name, collection]));
  const now = parts.deps.now();
  const pagesOf = oncePerKey((collection: string) => keptPages(store, collection));
  const shown: FindHit[] = [];
  for (const hit of hits) {
    const collection = byName.get(hit.collection);
    const paged = collection?.source?.kind === 'url' && hit.path === '' && hit.page === undefined;
    const kept = paged ? await pagesOf(hit.collection) : undefined;
    const pages = kept?.sha256 === hit.sha256 ? kept.pages : [];
    const pageUrl = pageAt(pages, hit.lines.start) ?? (await documentPage(store, hit, collection));
    shown.push(toHit(hit, collection, pageUrl, now));
  }
  return shown;
}

/** Adds hits of a looser search after the others, with scores that say so. */
function appendBelow(answer: SearchResult, looser: SearchResult): void {
  const known = new Set(answer.hits.map((hit) => hit.citation));
  const last = answer.hits.at(-1)!.score;
  for (const hit of looser.hits) {
    if (known.has(hit.citation) || answer.hits.length >= FEW) continue;
    answer.hits.push({ ...hit, score: last * hit.score * 0.5 });
    answer.total += 1;
  }
}

/** Where a document of a repository or a website is shown, or a page of a PDF. */
async function documentPage(
  store: Store,
  { collection, path, page }: SearchHit,
  view: CollectionView | undefined,
): Promise<string | undefined> {
  const { kind, pageBase, url } = view?.source ?? {};
  if (kind === 'url' && page !== undefined) return `${url}#page=${page}`;
  if (pageBase) return pageBase + encodeURI(path);
  return kind === 'website' ? (await store.documents.get(collection, path))?.origin : undefined;
}

function toHit(
  hit: SearchHit,
  collection: CollectionView | undefined,
  pageUrl: string | undefined,
  now: Date,
): FindHit {
  return {
    alias: targetOf(hit),
    lines: formatRange(hit.lines),
    ...(hit.page === undefined ? {} : { page: hit.page }),
    headingPath: hit.headingPath,
    snippet: hit.snippet,
    // The blz toolset's scores are 0 to 100.
    score: Math.round(hit.score * 1000) / 10,
    relevance: Math.round(hit.relevance * 1000) / 1000,
    sourceUrl: collection ? urlOf(collection) : null,
    matchLines: hit.matchLines,
    ...(pageUrl ? { pageUrl } : {}),
    rev: hit.sha256.slice(0, 8),
    fetchedAt: hit.fetchedAt,
    ...versionOf(hit),
    stale: collection ? isStale(collection, now) : false,
  };
}
