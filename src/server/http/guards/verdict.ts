// What a guard says: fine, or why not. Guards are pure; the handler turns a refusal into an answer, a log line and a
// count.

export interface Refusal {
  ok: false;
  status: number;
  /** A word for logs and metrics. */
  reason: string;
  message: string;
  hint?: string;
  headers?: Record<string, string>;
}

export type Verdict<Passed = object> = ({ ok: true } & Passed) | Refusal;

export const PASS: Verdict = { ok: true };

export function refuse(
  status: number,
  reason: string,
  message: string,
  more: Partial<Refusal> = {},
): Refusal {
  return { ...more, ok: false, status, reason, message };
}
