// The examples of the specification on the embedded store.

import { vaiClient } from '../support/vai-client.ts';
import { specificationExamples } from './specification-examples.ts';

specificationExamples('sqlite', () => vaiClient());
