// POST /admin: an action of the admin API over HTTP. The key was checked before; what fails is answered as a refusal is.

import { ERRORS } from '../../domain/errors.ts';
import type { AdminApi, AdminCaller } from '../admin/admin.ts';
import { safeError, type FailureContext } from '../protocol/failure.ts';
import { refuse, type Verdict } from './guards/verdict.ts';

/** What to answer with, or why not. */
export async function answerAdmin(
  api: AdminApi,
  body: unknown,
  caller: AdminCaller,
  failures: FailureContext,
): Promise<Verdict<{ answer: object }>> {
  try {
    return { ok: true, answer: await api(body, caller) };
  } catch (thrown) {
    const { code, message, hint } = safeError(thrown, failures, 'admin');
    return refuse(ERRORS[code].http, 'admin', message, hint ? { hint } : {});
  }
}
