// What the first calls of a fresh server would wait for, and everybody else with them: opened and loaded before, in steps
// between which others are answered. Nothing is written, fetched or paid for.

import { BLOCK_PROFILE } from '../domain/chunk.ts';
import type { EngineDeps } from './deps.ts';
import { existingDatabase } from './scope.ts';

export type WarmStep = () => Promise<unknown>;

export function warmSteps({ models, stores, settings, worker }: EngineDeps): WarmStep[] {
  const embedding = settings.model ?? models.defaults().embedding;
  // Other models are downloaded, or far away; these ship with vai or were added to this machine.
  const here = models.traits(embedding).revision !== undefined;
  return [
    async () => (await existingDatabase({ stores, settings }))?.collections.list(),
    ...(here ? [async () => (await models.embedder(embedding)).embed(['vai'], { role: 'query' })] : []),
    async () => (await models.relevance()).judge('vai', [{ text: 'vai' }]),
    () => worker.read({ name: 'vai.md', bytes: Buffer.from('# vai\n'), profile: BLOCK_PROFILE }, {}),
  ];
}
