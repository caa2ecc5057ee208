// The admin API: one request names an action, with the guards, scopes and audit that tools have. It exists for the page
// beside MCP, for what no model should be offered: keys, the audit log, taking collections away.

import * as z from 'zod';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { isObject } from '../../domain/object.ts';
import type { Call, Principal } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Audit, AuditCall } from '../audit/audit.ts';
import type { Caller } from '../keys/entry.ts';
import { ACCESS } from './access.ts';
import { defineAction, mayRun, requireAction, type Action, type ActionContext } from './action.ts';
import { KNOWLEDGE } from './knowledge.ts';
import type { Admin } from './parts.ts';

const SERVER = {
  session: defineAction({
    scope: 'read',
    input: z.strictObject({}),
    run: (_, { key, call }) => ({
      ...{ id: key.id, name: key.name, scopes: call.principal.scopes, collections: key.collections },
      readOnly: call.principal.readOnly ?? false,
      ...(key.expires === undefined ? {} : { expires: new Date(key.expires).toISOString() }),
      actions: Object.keys(ACTIONS).filter((name) => mayRun(ACTIONS[name]!, call)),
    }),
  }),
  jobs: defineAction({
    scope: 'read',
    input: z.strictObject({}),
    run: (_, { jobs, call }) => ({ jobs: jobs.list(call.principal).slice(0, 50) }),
  }),
  'jobs-cancel': defineAction({
    scope: 'read',
    changes: true,
    input: z.strictObject({ id: z.string().min(1).max(40) }),
    run: ({ id }, { jobs, call }) => ({ cancelled: jobs.cancel(call.principal, id) }),
  }),
  metrics: defineAction({
    scope: 'admin',
    input: z.strictObject({}),
    run: (_, { history }) => history.report(),
  }),
};

export const ACTIONS: Readonly<Record<string, Action>> = { ...SERVER, ...KNOWLEDGE, ...ACCESS };

export interface AdminCaller {
  key: Caller;
  principal: Principal;
  signal: AbortSignal;
  audit: Audit;
  auditCall: AuditCall;
}

export type AdminApi = (body: unknown, caller: AdminCaller) => Promise<object>;

export function createAdminApi(parts: Admin, engine: () => Promise<Engine>): AdminApi {
  return async (body, caller) => {
    const { name, action, input } = read(body);
    const call: Call = { principal: caller.principal, signal: caller.signal };
    requireAction(action, call);
    const context = async (one: Call): Promise<ActionContext> => ({
      ...parts,
      engine: await engine(),
      call: one,
      key: caller.key,
      auditKey: (change) => caller.audit.write('key', { by: caller.key.id, ...change }),
    });
    const { collection } = input as { collection?: string };
    const end = caller.auditCall({
      tool: `admin/${name}`,
      scope: action.changes ? 'admin' : 'read',
      touched: collection === undefined ? {} : { collection },
    });
    if (action.job) {
      const request = {
        ...{ action: name, principal: caller.principal, ended: end, ...action.job },
        ...(collection === undefined ? {} : { collection }),
      };
      try {
        return {
          job: parts.jobs.start({
            ...request,
            async run(one) {
              // What waited to begin must not outlive the right to begin it.
              if (!parts.isValid(caller.key))
                throw new VaiError('NOT_ALLOWED', 'The key that began this was revoked or has expired.');
              return action.run(input, await context(one));
            },
          }),
        };
      } catch (thrown) {
        end(false);
        throw thrown;
      }
    }
    let ok = false;
    try {
      const answer = await action.run(input, await context(call));
      ok = true;
      return answer;
    } finally {
      end(ok);
    }
  };
}

function read(body: unknown): { name: string; action: Action; input: Record<string, unknown> } {
  if (!isObject(body)) throw new VaiError('INVALID_INPUT', 'Send an object that names an `action`.');
  const { action: name, ...given } = body;
  const action = typeof name === 'string' && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action || typeof name !== 'string') {
    const suggestions = typeof name === 'string' ? nearest(name.slice(0, 60), Object.keys(ACTIONS)) : [];
    throw new VaiError('INVALID_INPUT', 'There is no such action.', {
      ...(suggestions.length ? { hint: `Did you mean ${suggestions.join(' or ')}?` } : {}),
      suggestions,
    });
  }
  const parsed = action.input.safeParse(given);
  if (parsed.success) return { name, action, input: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.').slice(0, 60);
  throw new VaiError('INVALID_INPUT', where ? `\`${where}\`: ${issue!.message}.` : `${issue!.message}.`);
}
