// What a caller may do and sees, whatever transport he came by.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Principal } from '../../../src/engine/call.ts';
import { restrict, visibleTools } from '../../../src/server/protocol/access.ts';
import type { ServedTool } from '../../../src/server/protocol/surface.ts';

const caller = (scopes: Principal['scopes']): Principal => ({
  id: 'key',
  scopes,
  collections: '*',
  databases: '*',
});
const tools = (['read', 'write', 'admin'] as const).map((scope) => ({ scope }) as unknown as ServedTool);
const seen = (scopes: Principal['scopes']): string[] =>
  visibleTools(caller(scopes), tools).map(({ scope }) => scope);

it('a read-only server leaves everybody the read scope alone', () => {
  const all = caller(['read', 'write', 'admin']);
  assert.deepEqual(restrict(all, true), { ...all, scopes: ['read'], readOnly: true });
  assert.deepEqual(restrict(caller(['write']), true).scopes, []);
  assert.equal(restrict(all, false), all);
});

it('a tool is listed for those who may call it', () => {
  assert.deepEqual(seen(['read', 'write', 'admin']), ['read', 'write', 'admin']);
  assert.deepEqual(seen(['read']), ['read']);
  assert.deepEqual(seen(['read', 'admin']), ['read', 'admin']);
  assert.deepEqual(seen([]), []);
});
