// Reads citations: finds the documents, follows pinned citations to where their lines are now, widens to the context
// asked for and keeps to the size of one answer. One bad citation never costs the others.

import { plural } from '../../domain/text.ts';
import { formatCitation, targetOf } from '../../domain/citation.ts';
import type { DocumentInfo, Heading } from '../../domain/document.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import { formatRange, sliceLines, type LineRange } from '../../domain/lines.ts';
import { oncePerKey } from '../../domain/once.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections } from '../scope.ts';
import { cutLine, cutToFit, jsonLength } from './budget.ts';
import { contextWindow } from './context.ts';
import { locate, type Located } from './locate.ts';
import { changedOnDisk } from './on-disk.ts';
import { remap, type Remapped } from './remap.ts';
import type { CiteNotice, ReadRequest, ReadResult, Snippet } from './types.ts';

const MAX_CITATIONS = 100;

interface Plan {
  located: Located;
  requested: LineRange;
  remapped: Remapped;
  range: LineRange;
  rest?: LineRange;
  headingPath: string[];
  content?: string;
}

export async function readCitations(deps: EngineDeps, call: Call, request: ReadRequest): Promise<ReadResult> {
  if (request.citations.length > MAX_CITATIONS) {
    throw new VaiError('INVALID_INPUT', `At most ${MAX_CITATIONS} citations are read in one call.`, {
      hint: 'Ask for the rest in a second call.',
    });
  }
  const store = await openDatabase(deps, call, request.db);
  const visible = await visibleCollections(store, call);
  const result: ReadResult = { snippets: [], notices: [], failed: [] };
  const headingsOf = oncePerKey((collection: string) =>
    oncePerKey((path: string) => store.documents.headings(collection, path)),
  );
  const looked = new Set<string>();
  const plans: Plan[] = [];
  for (const input of request.citations) {
    throwIfAborted(call.signal);
    try {
      const located = await locate(store, visible, input, result.notices);
      const target = targetOf(located.info);
      const notice = looked.has(target)
        ? undefined
        : await changedOnDisk(deps, { store, call }, located.collection, located.info);
      if (notice) result.notices.push({ ...notice, citation: input });
      looked.add(target);
      plans.push(...(await planRanges({ store, headingsOf, request, located }, result)));
    } catch (thrown) {
      result.failed.push({ citation: input, error: toVaiError(thrown) });
    }
  }
  if (request.mode === 'all' && request.padding !== undefined) {
    result.notices.push({
      code: 'padding_ignored',
      message: '`linePadding` has no effect with contextMode `all`.',
    });
  }
  await readContents(store, plans);
  fit(plans, request.budget ?? deps.settings.resultBudget, result);
  return result;
}

interface Planning {
  store: Store;
  headingsOf: (collection: string) => (path: string) => Promise<readonly Heading[] | undefined>;
  request: ReadRequest;
  located: Located;
}

/** One plan per range of a citation; a range past the end of the text fails alone. */
async function planRanges(planning: Planning, result: ReadResult): Promise<Plan[]> {
  const { store, headingsOf, request, located } = planning;
  const plans: Plan[] = [];
  for (const requested of located.citation.ranges) {
    const remapped = await remap(store, located, requested);
    if (remapped.notice) result.notices.push({ ...remapped.notice, citation: located.input });
    if (remapped.archived !== undefined) {
      const range = clamp(located, requested, remapped.archivedLines, result);
      if (range) {
        const content = sliceLines(remapped.archived, range);
        plans.push({ located, requested, remapped, range, headingPath: [], content });
      }
      continue;
    }
    const range = clamp(located, remapped.range, located.info.lines, result);
    if (!range) continue;
    const window = contextWindow({
      headings: (await headingsOf(located.info.collection)(located.info.path)) ?? [],
      lines: located.info.lines,
      range,
      mode: request.mode ?? 'none',
      padding: request.padding,
    });
    plans.push({ located, requested, remapped, ...window });
  }
  return plans;
}

function clamp(located: Located, range: LineRange, lines: number, result: ReadResult): LineRange | undefined {
  const alias = targetOf(located.info);
  if (range.start > lines) {
    result.failed.push({
      citation: located.input,
      error: new VaiError(
        'INVALID_CITATION',
        `\`${alias}\` has ${plural(lines, 'line')}; line ${range.start} is past its end.`,
        { hint: lines === 1 ? 'Cite line 1.' : `Cite lines between 1 and ${lines}.` },
      ),
    });
    return undefined;
  }
  if (range.end <= lines) return range;
  result.notices.push({
    code: 'clamped',
    message: `\`${alias}\` has ${plural(lines, 'line')}; read ${formatRange(range)} as ${range.start}-${lines}.`,
    citation: located.input,
    alias,
  });
  return { start: range.start, end: lines };
}

/** One read, however many ranges are cited. */
async function readContents(store: Store, plans: readonly Plan[]): Promise<void> {
  const open = plans.filter((plan) => plan.content === undefined);
  const texts = await store.documents.lines(
    open.map(({ located: { info }, range }) => ({
      collection: info.collection,
      path: info.path,
      lines: range,
    })),
  );
  open.forEach((plan, at) => (plan.content = texts[at] ?? ''));
}

/** Turns plans into snippets until the answer is full; what did not fit is named so that it can be asked for. */
function fit(plans: readonly Plan[], budget: number, result: ReadResult): void {
  let left = budget;
  for (const plan of plans) {
    const snippet = toSnippet(plan);
    const overhead = JSON.stringify({ ...snippet, content: '' }).length + 120;
    const room = left - overhead;
    const cut = cutToFit(snippet.content, Math.max(0, room));
    if (cut && cut.lines === 0 && result.snippets.length > 0) {
      result.notices.push({
        code: 'budget',
        message: 'This citation did not fit into the answer; request it on its own.',
        citation: formatCitation({ ...plan.located.info, ranges: [plan.range] }),
      });
      continue;
    }
    if (cut) result.notices.push(...shorten(snippet, plan, cut, room));
    result.snippets.push(snippet);
    left -= overhead + jsonLength(snippet.content);
  }
}

/** Keeps the whole lines that fit; says so when not even one does. */
function shorten(
  snippet: Snippet,
  plan: Plan,
  cut: { content: string; lines: number },
  room: number,
): CiteNotice[] {
  const info = plan.located.info;
  const { start, end } = plan.range;
  const kept = Math.max(1, cut.lines);
  snippet.content = cut.lines === 0 ? cutLine(snippet.content.split('\n')[0]!, room) : cut.content;
  snippet.range = { start, end: start + kept - 1 };
  snippet.citation = formatCitation({ ...info, ranges: [snippet.range], hash: snippet.sha256 });
  snippet.requested ??= plan.requested;
  snippet.truncated = true;
  const last = plan.rest && plan.rest.start > end ? plan.rest.end : end;
  if (start + kept <= last) {
    const ranges = [{ start: start + kept, end: last }];
    snippet.next = formatCitation({ ...info, ranges, hash: snippet.sha256 });
  }
  if (cut.lines > 0) return [];
  const message = `Line ${start} is longer than an answer can be; only its beginning is shown.`;
  return [{ code: 'long_line', message, citation: plan.located.input }];
}

function toSnippet(plan: Plan): Snippet {
  const { located, requested, remapped, range, rest, headingPath } = plan;
  const info: DocumentInfo = located.info;
  const sha256 = remapped.archived === undefined ? info.sha256 : (located.citation.hash ?? info.sha256);
  const place = { collection: info.collection, path: info.path };
  const same = range.start === requested.start && range.end === requested.end;
  return {
    citation: formatCitation({ ...place, ranges: [range], hash: sha256 }),
    ...place,
    range,
    content: plan.content ?? '',
    headingPath,
    sha256,
    fetchedAt: info.fetchedAt,
    ...(same ? {} : { requested }),
    ...(rest ? { truncated: true, next: formatCitation({ ...place, ranges: [rest], hash: sha256 }) } : {}),
    ...(remapped.status ? { status: remapped.status } : {}),
  };
}
