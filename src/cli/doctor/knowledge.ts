// The knowledge itself: the store opens and is sound, collections have what their model promises, models load.

import type { Engine } from '../../engine/engine.ts';
import type { Frame } from '../frame.ts';
import { plural } from '../../tools/shared/text.ts';
import { size } from '../vai/collections.ts';
import { attempt, ok, problem, warning, type Finding } from './finding.ts';

export async function checkStore(frame: Frame): Promise<Finding[]> {
  return attempt('store', async () => {
    const engine = await frame.engine();
    const health = await engine.upkeep.check(frame.call());
    if (health.ok) return [ok('store', `The database ${health.database} is sound (${size(health.bytes)}).`)];
    return health.problems.map((message) =>
      problem('store', message, 'vai backup <file>, then ingest the documents again'),
    );
  });
}

export async function checkCollections(frame: Frame): Promise<Finding[]> {
  return attempt('index', async () => {
    const engine = await frame.engine();
    const { collections } = await engine.collections.list(frame.call());
    if (collections.length === 0)
      return [warning('index', 'There is no collection yet.', 'vai ingest <folder>')];
    const found: Finding[] = [];
    for (const { name, stats, embedding, indexes, error } of collections) {
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
    return [await embedsSomething(engine, frame), ...providerFindings(report.provider)];
  });
}

async function embedsSomething(engine: Engine, frame: Frame): Promise<Finding> {
  const { vector, model } = await engine.models.embed(frame.call(), {
    text: 'doctor',
    model: 'builtin-embed-1',
  });
  return vector.some((value) => value !== 0)
    ? ok('models', `${model} works here, without a key.`)
    : problem('models', `${model} gives empty vectors.`, 'npm install -g vai-knowledge');
}

function providerFindings(provider: { state: string; embedding: string }): Finding[] {
  if (provider.state === 'not configured')
    return [ok('models', 'No Voyage key: the built-in models are used.')];
  if (provider.state === 'connected') return [ok('network', 'Voyage AI answers.')];
  if (provider.state === 'unauthorized')
    return [problem('models', 'Voyage AI refuses the key.', 'vai config set api-key <key>')];
  return [
    warning(
      'network',
      `Voyage AI does not answer (${provider.state}).`,
      'Check the network, or leave VOYAGE_API_KEY unset to work offline.',
    ),
  ];
}
