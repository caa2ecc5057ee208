// The contract of a store: everything the engine relies on, for every kind of store.

import { documentContract } from './documents.ts';
import { graphGapsContract } from './graph-gaps.ts';
import { graphContract } from './graph.ts';
import type { Subject } from './harness.ts';
import { nameContract } from './names.ts';
import { occurrenceContract } from './occurrences.ts';
import { recordContract } from './records.ts';
import { vectorContract } from './vectors.ts';
import { wordContract } from './words.ts';

export type { Opened, Subject } from './harness.ts';

export function storeContract(subject: Subject): void {
  documentContract(subject);
  wordContract(subject);
  occurrenceContract(subject);
  vectorContract(subject);
  graphContract(subject);
  graphGapsContract(subject);
  nameContract(subject);
  recordContract(subject);
}
