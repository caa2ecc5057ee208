// vai as a library: `import { openKnowledge } from 'vai-knowledge'`. The engine that the commands and the server use, with
// the few methods a program needs.

import { composeEngine } from '../compose.ts';
import { resolveSettings } from '../config/index.ts';
import { VaiError } from '../domain/errors.ts';
import { localCall } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import type { Knowledge, OpenOptions } from './types.ts';

const DEFAULT_LIMIT = 10;

export async function openKnowledge(options: OpenOptions = {}): Promise<Knowledge> {
  const env = { ...process.env, ...(options.home ? { VAI_HOME: options.home } : {}) };
  const cwd = process.cwd();
  const settings = resolveSettings({ flags: {}, env, cwd, uriChoosesStore: true });
  const engine = await composeEngine({ settings, env, cwd });
  return knowledge(engine, options.db === undefined ? {} : { db: options.db });
}

function knowledge(engine: Engine, place: { db?: string }): Knowledge {
  return {
    async ingest(paths, { collection, sync } = {}) {
      const request = { paths: [paths].flat(), collection, sync, ...place };
      const report = await engine.ingest.files(localCall(), request);
      const { added, changed, unchanged, deleted, chunks } = report.run;
      const failures = report.failures.map(({ path, message }) => ({ path, message }));
      return { collection: report.collection, added, changed, unchanged, removed: deleted, chunks, failures };
    },
    async ingestText(text, { source, collection }) {
      const done = await engine.ingest.text(localCall(), { text, source, collection, ...place });
      return { chunks: done.chunksCreated };
    },
    async search(query, { collections, limit = DEFAULT_LIMIT, mode, rerank } = {}) {
      const found = await engine.search.run(localCall(), {
        query,
        collections,
        limit,
        mode,
        rerank,
        ...place,
      });
      return found.hits.map(({ citation, collection, path, lines, headingPath, text, relevance }) => ({
        ...{ citation, collection, path, lines, headingPath, text, relevance },
      }));
    },
    async cite(citation) {
      const { snippets, failed } = await engine.cite.read(localCall(), { citations: [citation], ...place });
      const [snippet] = snippets;
      if (!snippet) throw failed[0]?.error ?? new VaiError('INVALID_CITATION', 'There are no such lines.');
      const { range: lines, headingPath, content: text, status } = snippet;
      return { citation: snippet.citation, lines, headingPath, text, ...(status ? { status } : {}) };
    },
    graph: {
      async build(collection) {
        await engine.graph.build(localCall(), { collection, ...place });
      },
      async relations(entity, { collection } = {}) {
        const scope = collection === undefined ? {} : { collection };
        const found = await engine.graph.relations(localCall(), {
          entity,
          direction: 'both',
          ...scope,
          ...place,
        });
        return found.relations.map(({ source, type, target, description, evidence }) => ({
          ...{ source, type, target, description },
          evidence: evidence.map((one) => one.citation),
        }));
      },
    },
    close: () => engine.close(),
  };
}
