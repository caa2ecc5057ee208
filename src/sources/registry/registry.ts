// The registry of documentation sources: a data file shipped with vai, overlaid by the user's own `registry.json`.
// What is wrong in the user's file is said in notices and left out; it never hides the entries that are right.

import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { addressKind, parseRepository } from '../../domain/source-address.ts';
import type { Registry, RegistryEntry } from '../../ports/registry.ts';
import { siblingOf } from '../web/variants.ts';
import shipped from './entries.json' with { type: 'json' };

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_ENTRIES = 5000;

const address = z
  .string()
  .max(2000)
  .refine(isSourceAddress, 'must be an https address or github:owner/name[@ref][/path]');
const names = z.array(z.string().min(1).max(200)).max(50);
const entry = z.object({
  id: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/),
  url: address,
  name: z.string().min(1).max(200).optional(),
  description: z.string().max(1000).default(''),
  fallback: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  versioned: z
    .string()
    .regex(/^(?:https?:\/\/[^\s{}/]+\/|github:[^\s{}@]+@)\S*\{(?:major|version)\}\S*$/)
    .max(2000)
    .optional(),
  category: z.string().min(1).max(64).default('other'),
  tags: names.default([]),
  aliases: z
    .object({
      npm: names.optional(),
      pypi: names.optional(),
      cargo: names.optional(),
      go: names.optional(),
      composer: names.optional(),
      gem: names.optional(),
      github: names.optional(),
    })
    .default({}),
});

function isSourceAddress(text: string): boolean {
  try {
    if (addressKind(text) === 'repository') return parseRepository(text).name !== '';
  } catch {
    return false;
  }
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export interface RegistryOptions {
  /** The user's `registry.json`; it need not exist. */
  userFile?: string;
}

/** An entry as a file has it. */
type Written = Omit<RegistryEntry, 'name' | 'aliases'> & Partial<Pick<RegistryEntry, 'name' | 'aliases'>>;

/**
 * With what follows from the rest: the id is its name where no other is given, its repository a name to ask by, and
 * `llms.txt` stands beside `llms-full.txt`.
 */
function complete({ name, aliases, ...written }: Written): RegistryEntry {
  const { id, url } = written;
  const repository = addressKind(url) === 'repository' ? parseRepository(url) : undefined;
  const own = repository ? [`${repository.owner}/${repository.name}`] : [];
  const github = [...new Set([...own, ...(aliases?.github ?? [])])];
  const fallback = written.fallback ?? (url.endsWith('/llms-full.txt') ? siblingOf(url) : undefined);
  return {
    ...written,
    ...(fallback === undefined ? {} : { fallback }),
    name: name ?? id,
    aliases: { ...aliases, ...(github.length > 0 ? { github } : {}) },
  };
}

export function createRegistry(options: RegistryOptions = {}): Registry {
  const ours = (shipped as readonly Written[]).map(complete);
  let cached: { stamp: string; value: Awaited<ReturnType<Registry['load']>> } | undefined;
  return {
    async load() {
      const stamp = options.userFile ? await stampOf(options.userFile) : '';
      if (cached?.stamp === stamp) return cached.value;
      const user = stamp === '' ? { entries: [], notices: [] } : await readUserFile(options.userFile!);
      const byId = new Map(ours.map((one) => [one.id, one]));
      for (const one of user.entries) byId.set(one.id, one);
      const entries = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      cached = { stamp, value: { entries, notices: user.notices } };
      return cached.value;
    },
  };
}

async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs}:${size}`;
  } catch {
    return '';
  }
}

async function readUserFile(file: string): Promise<{ entries: RegistryEntry[]; notices: string[] }> {
  const left = (why: string) => ({ entries: [], notices: [`Your registry.json was not used: ${why}.`] });
  let content: unknown;
  try {
    const bytes = await readFile(file);
    if (bytes.length > MAX_FILE_BYTES) return left('it is larger than 2 MB');
    content = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    return left(error instanceof SyntaxError ? 'it is not valid JSON' : 'it could not be read');
  }
  const list = Array.isArray(content) ? content : (content as { sources?: unknown } | null)?.sources;
  if (!Array.isArray(list)) return left('it holds neither a list nor an object with a list `sources`');
  const entries: RegistryEntry[] = [];
  const notices: string[] = [];
  for (const [at, item] of list.slice(0, MAX_ENTRIES).entries()) {
    const parsed = entry.safeParse(item);
    if (parsed.success) entries.push(complete(parsed.data));
    else notices.push(`Entry ${at + 1} of your registry.json was left out: ${firstIssue(parsed.error)}.`);
  }
  if (list.length > MAX_ENTRIES)
    notices.push(`Only the first ${MAX_ENTRIES} entries of your registry.json are used.`);
  return { entries, notices: notices.slice(0, 10) };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return `${issue.path.join('.') || 'entry'}: ${issue.message}`;
}
