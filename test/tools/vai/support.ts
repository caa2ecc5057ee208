// The tools on a real engine, those that are off by default included, called as the server calls them.

import assert from 'node:assert/strict';
import * as z from 'zod';
import type { VaiError } from '../../../src/domain/errors.ts';
import { localCall, type AccessScope } from '../../../src/engine/call.ts';
import type { ToolResult } from '../../../src/tools/tool.ts';
import { createVaiToolset } from '../../../src/tools/vai/toolset.ts';
import { failure } from '../../support/failure.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

export interface VaiTools extends TempEngine {
  /** By somebody with every scope, unless others are given. */
  call: (name: string, input: Record<string, unknown>, scopes?: AccessScope[]) => Promise<ToolResult>;
  refused: (name: string, input: Record<string, unknown>) => Promise<VaiError>;
}

export async function vaiTools(options: Parameters<typeof tempEngine>[0] = {}): Promise<VaiTools> {
  const toolset = createVaiToolset({ extras: true });
  const temp = await tempEngine(options);
  const call: VaiTools['call'] = async (name, input, scopes = ['read', 'write', 'admin']) => {
    const tool = toolset.tools.find((entry) => entry.name === name)!;
    const principal = { ...localCall().principal, scopes };
    const result = await tool.run(tool.input.parse(input), { engine: temp.engine, call: { principal } });
    // Whatever a tool answers, its schema names: a typed client drops the rest.
    z.strictObject(tool.output.shape).parse(result.structured);
    assert.ok(!/undefined|NaN|\[object/.test(result.text), result.text);
    return result;
  };
  return {
    ...temp,
    call,
    refused: (name, input) => failure(call(name, input)),
  };
}

/** Field names with the type of their values, sorted: the shape of a record. */
export function shape(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value as object)
      .map(([key, item]): [string, string] => [key, Array.isArray(item) ? 'list' : typeof item])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
