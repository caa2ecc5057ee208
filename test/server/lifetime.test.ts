// A fresh server loads what its first calls need before they come, without anybody waiting for it.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createLifetime } from '../../src/server/lifetime.ts';
import { tempEngine } from '../support/temp-engine.ts';
import { until } from '../support/wait.ts';
import { httpServer } from './support/http.ts';
import { send } from './support/send.ts';

interface Warmed {
  engine: Engine;
  begun: string[];
  /** Lets the step at hand end. */
  go: () => void;
  closed: boolean;
}

/** An engine whose steps wait to be let go on. */
function warmed(...names: string[]): Warmed {
  const warm: Warmed = { begun: [], go: () => undefined, closed: false, engine: {} as Engine };
  const step = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      warm.begun.push(name);
      warm.go = () => (name === 'fails' ? reject(new Error('not there')) : resolve());
    });
  warm.engine = {
    warmSteps: () => names.map(step),
    close: async () => void (warm.closed = true),
  } as unknown as Engine;
  return warm;
}

describe('a fresh server', () => {
  it('answers /health while the engine warms up, step after step, and one that fails ends nothing', async () => {
    const warm = warmed('store', 'fails', 'model');
    await using server = await httpServer({ engine: warm.engine, warm: true });
    for (let at = 1; at <= 3; at++) {
      await until(() => warm.begun.length === at);
      assert.equal((await send(server, { method: 'GET', path: '/health' })).status, 200);
      assert.equal(warm.begun.length, at, 'the step at hand is still under way');
      warm.go();
    }
    assert.deepEqual(warm.begun, ['store', 'fails', 'model']);
  });

  it('warms nothing up unless it is asked to', async () => {
    await using server = await httpServer();
    await send(server, { method: 'GET', path: '/health' });
    assert.equal(server.engine.made, 0);
  });

  it('that is stopped finishes the step at hand and begins no other', async () => {
    const warm = warmed('store', 'model');
    const lifetime = createLifetime(async () => warm.engine);
    lifetime.warm();
    await until(() => warm.begun.length === 1);
    const ended = lifetime.end(60_000);
    warm.go();
    await ended;
    assert.deepEqual(warm.begun, ['store']);
    assert.ok(warm.closed);
  });

  it('whose store is away starts all the same, and the first call tries again', async () => {
    let tries = 0;
    const warm = warmed();
    const lifetime = createLifetime(async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
      return warm.engine;
    });
    lifetime.warm();
    await until(() => tries === 1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await lifetime.engine(), warm.engine);
    await lifetime.end(1);
  });

  it('warms up by steps that work and write nothing', async () => {
    const temp = await tempEngine();
    try {
      for (const step of temp.engine.warmSteps()) await step();
      assert.deepEqual(readdirSync(temp.home), []);
    } finally {
      await temp.close();
    }
  });
});
