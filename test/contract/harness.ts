// Runs one group of contract tests against one kind of store. A store that cannot do something skips that test by name
// and says why.

import { test, type TestContext } from 'node:test';
import type { Store, Stores } from '../../src/ports/store.ts';
import { collection } from './fixtures.ts';

export interface Opened {
  stores: Stores;
  /** Another process's view: stores over the same data that share nothing in memory with the first. */
  again: () => Promise<Stores>;
  /** Resolves when searches see what was written; for stores whose indexes follow later. */
  settled?: () => Promise<void>;
  dispose: () => Promise<void>;
}

export interface Subject {
  name: string;
  open(now: () => Date): Promise<Opened>;
  /** Test name to reason. */
  skip?: Record<string, string>;
}

export interface World {
  store: Store;
  stores: Stores;
  again: () => Promise<Stores>;
  settled: () => Promise<void>;
  /** Moves the store's clock. */
  pass: (ms: number) => void;
}

export type Case = (name: string, body: (world: World, context: TestContext) => Promise<void>) => void;

/** Every case gets a database of its own with an empty collection `docs`. */
export function cases(subject: Subject): Case {
  return (name, body) => {
    const skip = subject.skip?.[name];
    test(`${subject.name}: ${name}`, skip ? { skip } : {}, async (context) => {
      let clock = Date.parse('2026-03-01T00:00:00.000Z');
      const opened = await subject.open(() => new Date(clock));
      try {
        const store = await opened.stores.open('contract');
        await store.collections.put(collection('docs'));
        await body(
          {
            store,
            stores: opened.stores,
            again: opened.again,
            settled: opened.settled ?? (async () => {}),
            pass: (ms) => (clock += ms),
          },
          context,
        );
      } finally {
        await opened.dispose();
      }
    });
  };
}
