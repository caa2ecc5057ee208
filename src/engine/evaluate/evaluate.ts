// The engine group `evaluate`: how well each mode answers on a user's own collection. Questions come from a file, or
// are made out of the collection's headings: the page's title and the heading, whose section is the right answer.

import { throwIfAborted, VaiError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { documentsOf } from '../documents.ts';
import { findCollection, openDatabase, visibleCollections } from '../scope.ts';
import { createSearch } from '../search/search.ts';
import type { SearchHit, SearchRequest } from '../search/types.ts';
import { average, measure, pairedP, type Measures } from './metrics.ts';

export interface Question {
  query: string;
  /** A document path of the collection, with the lines of the right answer where they are known. */
  answers: { path: string; start?: number; end?: number }[];
}

export const EVALUATED_MODES = ['words', 'meaning', 'hybrid', 'rerank', 'graph'] as const;
export type EvaluatedMode = (typeof EVALUATED_MODES)[number];

export interface ModeReport extends Measures {
  mode: EvaluatedMode;
  msPerQuery: number;
  /** Against words: how likely the difference is chance. */
  p: number;
}

export interface Evaluation {
  collection: string;
  questions: number;
  made: boolean;
  modes: ModeReport[];
  best: EvaluatedMode;
}

export interface Evaluate {
  run(
    call: Call,
    request: { collection: string; db?: string; questions?: Question[]; sample?: number },
  ): Promise<Evaluation>;
}

const DEPTH = 100;
const SAMPLE = 200;

/** `rerank` is what vai_query does. */
export function searchOptions(mode: EvaluatedMode): Pick<SearchRequest, 'mode' | 'rerank' | 'relations'> {
  return mode === 'rerank' ? { mode: 'hybrid', rerank: true, relations: true } : { mode };
}

export function createEvaluate(deps: EngineDeps): Evaluate {
  const search = createSearch(deps);
  return {
    async run(call, request) {
      const store = await openDatabase(deps, call, request.db);
      const view = findCollection(await visibleCollections(store, call), request.collection);
      const questions =
        request.questions ??
        (await fromHeadings(deps, call, {
          name: view.name,
          db: request.db,
          sample: request.sample ?? SAMPLE,
        }));
      if (questions.length === 0) {
        throw noQuestions(view.name, request.questions !== undefined);
      }
      const modes: ModeReport[] = [];
      let words: number[] = [];
      for (const mode of EVALUATED_MODES) {
        if (mode !== 'words' && view.stats.vectors === 0) continue;
        const started = performance.now();
        const all: Measures[] = [];
        for (const [at, question] of questions.entries()) {
          throwIfAborted(call.signal);
          const found = await search.run(call, {
            query: plain(question.query),
            collections: [view.name],
            db: request.db,
            limit: DEPTH,
            perDocument: DEPTH,
            ...searchOptions(mode),
          });
          all.push(judge(found.hits, question));
          call.progress?.({ done: at + 1, total: questions.length, message: mode });
        }
        const ndcgs = all.map((one) => one.ndcg10);
        if (mode === 'words') words = ndcgs;
        modes.push({
          mode,
          ...average(all),
          msPerQuery: (performance.now() - started) / questions.length,
          p: pairedP(ndcgs, words),
        });
      }
      const best = modes.reduce((a, b) => (b.ndcg10 > a.ndcg10 ? b : a)).mode;
      return {
        collection: view.name,
        questions: questions.length,
        made: request.questions === undefined,
        modes,
        best,
      };
    },
  };
}

function noQuestions(collection: string, given: boolean): VaiError {
  const message = given
    ? 'There are no questions to ask.'
    : `No questions can be made out of \`${collection}\`: it has too few headings.`;
  return new VaiError('INVALID_INPUT', message, { hint: 'Give a file of questions with --questions.' });
}

/** Operators of the query language are removed from a question, unless nothing else would be left. */
function plain(query: string): string {
  const words = query
    .replaceAll(/["+*()#:-]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words || query;
}

/** Each answer counts once, for the first hit that touches it. */
function judge(hits: readonly SearchHit[], question: Question): Measures {
  const relevant = new Map(question.answers.map((_, at) => [String(at), 1]));
  const seen = new Set<string>();
  const ranking = hits.map((hit, rank) => {
    const at = question.answers.findIndex(
      (answer, index) => !seen.has(String(index)) && touches(hit, answer),
    );
    if (at === -1) return `miss-${rank}`;
    seen.add(String(at));
    return String(at);
  });
  return measure(ranking, relevant);
}

function touches(hit: SearchHit, answer: Question['answers'][number]): boolean {
  if (hit.path !== answer.path) return false;
  if (answer.start === undefined) return true;
  return hit.lines.start <= (answer.end ?? answer.start) && hit.lines.end >= answer.start;
}

async function fromHeadings(
  deps: EngineDeps,
  call: Call,
  from: { name: string; db?: string; sample: number },
): Promise<Question[]> {
  const store = await openDatabase(deps, call, from.db);
  const found = new Map<string, Question>();
  const repeated = new Set<string>();
  for await (const document of documentsOf(store, from.name)) {
    for (const heading of (await store.documents.headings(from.name, document.path)) ?? []) {
      if (heading.level === 1 || heading.block.end - heading.block.start < 2) continue;
      const query = `${heading.path[0] === heading.text ? document.title : heading.path[0]} ${heading.text}`;
      if (found.has(query)) repeated.add(query);
      found.set(query, {
        query,
        answers: [{ path: document.path, start: heading.block.start, end: heading.block.end }],
      });
    }
  }
  const unique = [...found.values()].filter((question) => !repeated.has(question.query));
  const step = Math.max(1, unique.length / from.sample);
  return Array.from(
    { length: Math.min(from.sample, unique.length) },
    (_, at) => unique[Math.floor(at * step)]!,
  );
}
