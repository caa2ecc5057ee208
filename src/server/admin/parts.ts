// What the admin API works on beside the engine.

import type { Caller } from '../keys/entry.ts';
import type { Limits } from '../limits/limiter.ts';
import type { MetricHistory } from './history.ts';
import type { Jobs } from '../jobs.ts';

export interface ServerLimits extends Limits {
  /** Requests a minute for a key that has no rate of its own; 0: unlimited. */
  rate: number;
  /** Dollars a day for hosted models, for a key that has no limit of its own. */
  spending: number;
}

export interface Admin {
  /** Of the keys. */
  configFile: string;
  /** Where their use, what they spend and the audit log are kept. */
  home: string;
  /** Whether a key that was let in before still would be. */
  isValid: (key: Caller) => boolean;
  jobs: Jobs;
  history: MetricHistory;
  limits: ServerLimits;
}
