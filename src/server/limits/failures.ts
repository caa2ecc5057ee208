// Failed authentications by address: ten in a minute are answered as such, the next ones with "wait". Only callers
// without a valid key ever get here, so nobody can lock out a colleague behind the same proxy.

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

export interface FailureCounter {
  /** Counts one failure; seconds to wait, or 0 while it is still within the allowance. */
  fail(address: string, at: number): number;
}

export function createFailureCounter(maxAddresses = 10_000): FailureCounter {
  const windows = new Map<string, number[]>();
  return {
    fail(address, at) {
      const recent = (windows.get(address) ?? []).filter((time) => time > at - WINDOW_MS);
      windows.delete(address);
      if (windows.size >= maxAddresses) windows.delete(windows.keys().next().value!);
      const blocked = recent.length >= MAX_FAILURES;
      // Refused attempts do not prolong the wait: the list holds the ten that counted.
      if (!blocked) recent.push(at);
      windows.set(address, recent);
      return blocked ? Math.max(1, Math.ceil((recent[0]! + WINDOW_MS - at) / 1000)) : 0;
    },
  };
}
