// Reads a client's configuration, whatever format it is written in.

import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { Client } from './clients.ts';

export function parseConfiguration(format: Client['format'], text: string): unknown {
  if (format === 'toml') return parseToml(text);
  if (format === 'yaml') return parseYaml(text);
  return parseJson(text);
}
