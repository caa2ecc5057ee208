// The examples of the seed on the embedded store.

import { vaiClient } from '../support/vai-client.ts';
import { seedExamples } from './seed-examples.ts';

seedExamples('sqlite', () => vaiClient());
