// The knowledge base: the store opens and is intact, collections have their vectors and indexes, models load.

import type { Engine } from '../../engine/engine.ts';
import type { ProviderState } from '../../ports/models.ts';
import type { Frame } from '../frame.ts';
import { plural, size } from '../../tools/shared/text.ts';
import { attempt, ok, problem, warning, type Finding } from './finding.ts';

export async function checkStore(frame: Frame): Promise<Finding[]> {
  return attempt('store', async () => {
    const engine = await frame.engine();
    const health = await engine.upkeep.check(frame.call());
    const { store } = await engine.ping.run(frame.call());
    const about = store.about ? [ok('store', store.about)] : [];
    if (health.ok)
      return [ok('store', `The database ${health.database} is intact (${size(health.bytes)}).`), ...about];
    return [
      ...health.problems.map((message) =>
        problem('store', message, 'vai backup <file>, then ingest the documents again'),
      ),
      ...about,
    ];
  });
}

export async function checkCollections(frame: Frame): Promise<Finding[]> {
  return attempt('index', async () => {
    const engine = await frame.engine();
    const { collections } = await engine.collections.list(frame.call());
    if (collections.length === 0)
      return [warning('index', 'There are no collections yet.', 'vai ingest <folder>')];
    const found: Finding[] = [];
    for (const { name, stats, embedding, indexes, error, run, source } of collections) {
      if (run && !source)
        found.push(
          warning(
            'index',
            `${name}: an ingest of ${plural(run.files, 'file')} that began ${run.startedAt} has not ended.`,
            `vai ingest <folder> --collection ${name}`,
          ),
        );
      if (error) found.push(problem('index', `${name}: ${error}`));
      else if (embedding && stats.vectors < stats.chunks) {
        const missing = stats.chunks - stats.vectors;
        found.push(
          warning(
            'index',
            `${name}: ${missing} of ${stats.chunks} chunks have no vector.`,
            `vai ingest <folder> --collection ${name}`,
          ),
        );
      }
      for (const index of indexes) {
        if (index.status === 'missing')
          found.push(
            problem('index', `${name}: the ${index.type} index is missing.`, `vai index create ${name}`),
          );
        if (index.status === 'failed')
          found.push(
            problem(
              'index',
              `${name}: the ${index.type} index failed.`,
              `vai index drop ${name} ${index.name}`,
            ),
          );
      }
    }
    return found.length > 0
      ? found
      : [ok('index', `${plural(collections.length, 'collection')}, every index ready.`)];
  });
}

export async function checkModels(frame: Frame): Promise<Finding[]> {
  return attempt('models', async () => {
    const engine = await frame.engine();
    const report = await engine.ping.run(frame.call());
    return [await embedsSomething(engine, frame), ...report.providers.flatMap(providerFindings)];
  });
}

async function embedsSomething(engine: Engine, frame: Frame): Promise<Finding> {
  const { vector, model } = await engine.models.embed(frame.call(), {
    text: 'doctor',
    model: 'builtin-embed-1',
  });
  return vector.some((value) => value !== 0)
    ? ok('models', `${model} works here, without a key.`)
    : problem('models', `${model} returns empty vectors.`, 'npm install -g vai-knowledge');
}

function providerFindings({ title, state }: ProviderState): Finding[] {
  if (state === 'connected') return [ok('network', `${title} answers.`)];
  if (state === 'unauthorized')
    return [problem('models', `${title} refuses the key.`, 'vai config list, then vai config set <setting>')];
  if (state === 'unknown') return [ok('models', `${title} is configured; \`vai ping --call\` tries it.`)];
  return [
    warning(
      'network',
      `${title} does not answer (${state}).`,
      'Check the network and the address; search by words and the built-in models work without it.',
    ),
  ];
}
