// Who may do what, and who did: keys, the audit log, limits.

import * as z from 'zod';
import { SCOPES } from '../../domain/scopes.ts';
import { generateKey, keyRecord, limitKey, listKeys, revokeKey, rotateKey } from '../keys/manage.ts';
import { MAX_SPENDING } from '../keys/entry.ts';
import { readUsage, usageFile } from '../keys/usage.ts';
import { spendingFile, spentToday } from '../limits/spending.ts';
import { auditFile } from '../audit/audit.ts';
import { readAudit } from '../audit/read.ts';
import { defineAction, type ActionContext } from './action.ts';

const id = z.string().min(1).max(40);
const limits = {
  scopes: z.array(z.enum(SCOPES)).min(1).max(3).optional(),
  collections: z.array(z.string().min(1).max(120)).min(1).max(500).optional(),
  rate: z.int().min(1).max(10_000_000).optional(),
  spending: z.number().min(0).max(MAX_SPENDING).optional(),
  expires: z.string().min(1).max(40).optional(),
};

const place = ({ configFile, auditKey }: ActionContext) => ({ configPath: configFile, audit: auditKey });

/** Keys concern the server as a whole: whoever may make one may do everything. */
const OWNER = { scope: 'admin', whole: true } as const;

export const ACCESS = {
  keys: defineAction({
    ...OWNER,
    input: z.strictObject({}),
    run: async (_, { configFile, home, key }) => {
      const used = readUsage(usageFile(home));
      const spent = await spentToday(spendingFile(home), new Date());
      const useOf = (id: string) => ({ lastUsed: used[id], spentToday: spent.get(id) });
      return { keys: listKeys(configFile).map((one) => keyRecord(one, useOf(one.id))), own: key.id };
    },
  }),
  'keys-make': defineAction({
    ...OWNER,
    changes: true,
    input: z.strictObject({
      name: z.string().max(100).optional(),
      owner: z.string().max(100).optional(),
      ...limits,
    }),
    async run(input, context) {
      const { key, stored } = await generateKey(place(context), input, new Date());
      return { key, id: stored.id };
    },
  }),
  'keys-limit': defineAction({
    ...OWNER,
    changes: true,
    input: z.strictObject({ id, ...limits }),
    async run(input, context) {
      return { key: keyRecord(await limitKey(place(context), input, new Date())) };
    },
  }),
  'keys-rotate': defineAction({
    ...OWNER,
    changes: true,
    input: z.strictObject({ id, grace: z.string().min(1).max(40).default('7d') }),
    async run(input, context) {
      const { key, stored, until } = await rotateKey(place(context), input, new Date());
      return { key, id: stored.id, until };
    },
  }),
  'keys-revoke': defineAction({
    ...OWNER,
    changes: true,
    input: z.strictObject({ id }),
    async run(input, context) {
      const revoked = await revokeKey(place(context), input.id);
      return { id: revoked.id, name: revoked.name };
    },
  }),
  audit: defineAction({
    ...OWNER,
    input: z.strictObject({
      limit: z.int().min(1).max(500).default(100),
      event: z.enum(['start', 'stop', 'call', 'done', 'denied', 'key']).optional(),
      key: id.optional(),
    }),
    run: (input, { home }) => ({ lines: readAudit(auditFile(home), input) }),
  }),
  limits: defineAction({
    scope: 'read',
    input: z.strictObject({}),
    async run(_, { limits: server, home, key }) {
      const spent = await spentToday(spendingFile(home), new Date());
      return {
        server,
        key: {
          rate: key.rate ?? server.rate,
          spending: key.spending ?? server.spending,
          spentToday: spent.get(key.id) ?? 0,
        },
      };
    },
  }),
};
