// What a project says it knows: its own collection and folders, and documentation sources with the version they follow.
// Names and rules only, and they narrow: an untrusted project may have them.

import { isObject } from '../domain/object.ts';
import type { JsonObject } from './json-file.ts';

export interface ProjectSource {
  /** The collection it becomes. */
  alias: string;
  /** `npm:zod`: the package whose installed version it follows. */
  package?: string;
  /** Which of several installed versions (`3`, `3.24`); without: the newest that is installed. */
  version?: string;
  /** An address or `github:owner/name`; without: what came with the package, else the registry. */
  url?: string;
}

export interface ProjectContract {
  /** Absolute path of the file. */
  file: string;
  collection?: string;
  /** Of the project's own texts, relative to the file. */
  folders: string[];
  /** Patterns of what is left out of them. */
  ignore: string[];
  sources: ProjectSource[];
  /** Skills of installed packages that agents are offered; none in a project that is not trusted. */
  skills: string[];
}

const MAX_ENTRIES = 500;
const ALIAS = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,119}$/u;

export function readContract(
  path: string,
  file: JsonObject,
  { trusted, warn }: { trusted: boolean; warn: (message: string) => void },
): ProjectContract {
  const problems: string[] = [];
  const sources = listOf(file, 'sources', problems).flatMap((entry) => sourceOf(entry, problems));
  const texts = (name: string): string[] =>
    listOf(file, name, problems).filter((entry) => typeof entry === 'string');
  const { collection } = file;
  const contract = {
    file: path,
    ...(typeof collection === 'string' && ALIAS.test(collection) ? { collection } : {}),
    folders: texts('folders'),
    ignore: texts('ignore'),
    sources,
    skills: trusted ? texts('skills') : [],
  };
  if (problems.length > 0) warn(`.vai.json: ignored ${[...new Set(problems)].join(', ')}.`);
  return contract;
}

/** The collections a project is about, each once. */
export function collectionsOf({ collection, sources }: ProjectContract): string[] {
  return [...new Set([...(collection ? [collection] : []), ...sources.map(({ alias }) => alias)])];
}

function listOf(file: JsonObject, name: string, problems: string[]): unknown[] {
  const value = file[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) problems.push(`\`${name}\`, which is not a list`);
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
}

function sourceOf(entry: unknown, problems: string[]): ProjectSource[] {
  const fields: JsonObject = typeof entry === 'string' ? { alias: entry } : isObject(entry) ? entry : {};
  const { alias } = fields;
  if (typeof alias !== 'string' || !ALIAS.test(alias)) {
    problems.push('an entry of `sources` without a proper `alias`');
    return [];
  }
  const text = (name: 'package' | 'version' | 'url'): Partial<ProjectSource> => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' && value.length <= 2000 ? { [name]: value } : {};
  };
  return [{ alias, ...text('package'), ...text('version'), ...text('url') }];
}
