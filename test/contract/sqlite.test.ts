// The embedded store keeps the contract.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { storeContract } from './store-contract.ts';

storeContract({
  name: 'sqlite',
  async open(now) {
    const home = mkdtempSync(join(tmpdir(), 'vai-sqlite-'));
    const stores = sqliteStores({ home, now });
    return {
      stores,
      again: async () => sqliteStores({ home, now }),
      async dispose() {
        await stores.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
});
