// A TOML file of sources to add together: `[[source]]` with alias, name, description, category, tags, url or path.

import { resolve } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import type { AddRequest } from '../../engine/docs/types.ts';
import { usage } from '../frame.ts';

const source = z.object({
  alias: z.string().min(1).max(64),
  name: z.string().max(200).optional(),
  description: z.string().max(1000).optional(),
  category: z.string().max(64).optional(),
  tags: z.array(z.string().max(64)).max(50).optional(),
  url: z.string().max(2000).optional(),
  path: z.string().max(4000).optional(),
});
const manifest = z.object({
  version: z.union([z.string(), z.number()]).optional(),
  source: z.array(source).max(500),
});

export function parseManifest(text: string, folder: string): AddRequest[] {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw usage('The manifest is not valid TOML.');
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw usage(`The manifest is not valid: ${issue.path.join('.')}: ${issue.message}.`);
  }
  return parsed.data.source.map(({ path, ...rest }) => ({
    ...rest,
    ...(path === undefined ? {} : { path: resolve(folder, path) }),
  }));
}
