// What the status of a provider's answer means. One rule for every provider, because a run decides by the code whether
// to go on with the next text.

import type { ErrorCode } from '../../domain/errors.ts';

/** Status 0 stands for no answer at all. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'PROVIDER_AUTH';
  if (status === 404) return 'MODEL_UNSUPPORTED';
  if (status === 429) return 'PROVIDER_RATE_LIMIT';
  // A gateway speaks for a provider that is away; the provider's own failure may be due to one text.
  if (status === 500) return 'PROVIDER_BAD_ANSWER';
  return status >= 400 && status < 500 && status !== 408 ? 'PROVIDER_BAD_REQUEST' : 'PROVIDER_UNAVAILABLE';
}
