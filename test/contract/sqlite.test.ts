// The embedded store keeps the contract.

import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { storeContract } from './store-contract.ts';
import { tempFolder } from '../support/temp-folder.ts';

storeContract({
  name: 'sqlite',
  async open(now) {
    const home = tempFolder('sqlite');
    const stores = sqliteStores({ home, now });
    return {
      stores,
      again: async () => sqliteStores({ home, now }),
      dispose: () => stores.close(),
    };
  },
});
