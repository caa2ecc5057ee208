// What workers and the primary process say to each other. Everything a limit needs and nothing a request carries.

import type { Admission, AdmissionVerdict } from '../limits/limiter.ts';

export type FromWorker =
  | { vai: 'admit'; id: number; admission: Admission }
  | { vai: 'release'; key: string; calls: number }
  | { vai: 'fail'; id: number; address: string }
  | { vai: 'gather'; id: number }
  | { vai: 'samples'; id: number; samples: object[] }
  | { vai: 'ready'; port: number }
  | { vai: 'cannot start'; message: string; hint?: string };

export type FromPrimary =
  | { vai: 'admitted'; id: number; verdict: AdmissionVerdict }
  | { vai: 'failed'; id: number; wait: number }
  | { vai: 'gathered'; id: number; all: object[][] }
  | { vai: 'sample'; id: number }
  | { vai: 'stop' };

export function isOurs(message: unknown): message is { vai: string } {
  return typeof message === 'object' && message !== null && 'vai' in message;
}
