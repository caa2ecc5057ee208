// A GitHub repository as documents: its archive over https, unpacked as it comes in, only text, only what was asked for.
// No Git, no API and no key. The commit is what Git wrote into the archive.

import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { withoutTrailing } from '../../domain/text.ts';
import { parseRepository, versionOfRef, type Repository } from '../../domain/source-address.ts';
import { VaiError } from '../../domain/errors.ts';
import type { FetchedFolder, FetchFolderOptions } from '../../ports/source.ts';
import { isBinaryName } from '../files/formats.ts';
import { visit } from './follow.ts';
import type { WebSettings } from './options.ts';
import { shown, type Connections } from './request.ts';
import { openScratch, safePath, type Scratch } from './scratch.ts';
import { conditions, stampsOf } from './stamps.ts';
import { readTar } from './tar.ts';

/** An archive holds more than its texts: pictures, tests. What it unpacks to is counted, kept or not. */
const PACKED = 3;
const UNPACKED = 20;
const MAX_FILES = 50_000;
const MAX_ENTRIES = 500_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export async function fetchRepository(
  address: string,
  options: FetchFolderOptions & { connections: Connections },
  settings: WebSettings,
): Promise<FetchedFolder> {
  const repository = parseRepository(address);
  const { owner, name, ref, path } = repository;
  const base = withoutTrailing(settings.github, '/');
  const page = `${base}/${owner}/${name}`;
  const scratch = await openScratch();
  try {
    let unpacked: Unpacked | undefined;
    const answer = await visit(
      `${page}/archive/${encodeURIComponent(ref ?? 'HEAD').replaceAll('%2F', '/')}.tar.gz`,
      {
        headers: { 'accept-encoding': 'identity', ...conditions(options.previous) },
        connections: options.connections,
        maxBytes: settings.maxBytes * PACKED,
        sink: async (parts) => {
          await scratch.clear();
          unpacked = await unpack(parts, { scratch, repository, settings, onProgress: options.onProgress });
        },
        signal: options.signal,
      },
      { ...settings, totalMs: settings.pagesMs },
    );
    const version = versionOfRef(ref);
    const common = { url: page, ...(version ? { version } : {}), ...stampsOf(answer) };
    const before = options.previous?.revision;
    if (answer.status === 304 || (unpacked && unpacked.commit !== undefined && unpacked.commit === before)) {
      await scratch.remove();
      return { changed: false, ...common, notices: [] };
    }
    if (answer.status !== 200 || !unpacked) throw statusError(repository, answer.status);
    const { commit, notices } = unpacked;
    const at = encodeURIComponent(commit ?? ref ?? 'HEAD').replaceAll('%2F', '/');
    return {
      changed: true,
      ...common,
      folder: scratch.folder,
      title: `${owner}/${name}${path ? `/${path}` : ''}${ref ? ` ${ref}` : ''}`,
      ...(commit ? { revision: commit } : {}),
      pageBase: `${page}/blob/${at}/`,
      notices,
      remove: () => scratch.remove(),
    };
  } catch (thrown) {
    await scratch.remove();
    throw thrown;
  }
}

interface Unpacked {
  commit?: string;
  notices: string[];
}

interface Unpacking {
  scratch: Scratch;
  repository: Repository;
  settings: WebSettings;
  onProgress: FetchFolderOptions['onProgress'];
}

async function unpack(
  parts: AsyncIterable<Buffer>,
  { scratch, repository, settings, onProgress }: Unpacking,
): Promise<Unpacked> {
  const { maxBytes } = settings;
  const passed = new Map<string, number>();
  const pass = (why: string): false => {
    passed.set(why, (passed.get(why) ?? 0) + 1);
    return false;
  };
  let files = 0;
  let bytes = 0;
  let entries = 0;
  const count = (): void => {
    if (++entries > MAX_ENTRIES) throw tooLarge(`more than ${MAX_ENTRIES} entries`);
  };
  const { comment } = await readTar(limited(gunzip(parts), maxBytes * UNPACKED), {
    wants(name, size) {
      count();
      const path = pathIn(name);
      if (path === undefined) return pass('with a path that is not allowed');
      if (!isBeneath(path, repository.path) || !isReadable(path)) return false;
      if (size > MAX_FILE_BYTES) return pass('larger than 16 MB');
      return true;
    },
    async file(name, content) {
      files += 1;
      bytes += content.length;
      if (files > MAX_FILES) throw tooLarge(`more than ${MAX_FILES} text files`);
      if (bytes > maxBytes) throw tooLarge(`more than ${maxBytes.toLocaleString('en')} bytes of text`);
      if (!(await scratch.write(pathIn(name)!, content))) pass('with the name of a folder');
      if (files % 50 === 0) onProgress?.(files, undefined, 'Unpacking files');
    },
    other() {
      count();
      pass('that are links or no files');
    },
  });
  if (files === 0) {
    throw new VaiError('SOURCE_NOT_FOUND', `${nameOf(repository)} contains no text at that place.`, {
      hint: 'Check the path and the ref.',
    });
  }
  const commit = /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(comment ?? '') ? { commit: comment! } : {};
  const notices = [...passed].map(([why, number]) => `${number} entries ${why} were passed over.`);
  return { ...commit, notices };
}

/** Errors of the network reach whoever reads, and reading less than all closes the stream. */
function gunzip(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return pipeline(Readable.from(parts), createGunzip(), () => undefined);
}

async function* limited(parts: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > most) throw tooLarge(`more than ${most.toLocaleString('en')} bytes once unpacked`);
    yield part;
  }
}

function tooLarge(what: string): VaiError {
  return new VaiError('TOO_LARGE', `The repository contains ${what}.`, {
    hint: 'Name a folder of it, for example github:owner/name/docs, or raise BLZ_MAX_BYTES.',
  });
}

/** Without the folder that an archive puts everything in; nothing where the path could lead elsewhere. */
function pathIn(name: string): string | undefined {
  const slash = name.indexOf('/');
  return slash > 0 ? safePath(name.slice(slash + 1)) : undefined;
}

function isBeneath(path: string, folder: string | undefined): boolean {
  if (folder === undefined || path === folder || path.startsWith(`${folder}/`)) return true;
  // An ignore rule of a folder above holds here too.
  return path.endsWith('.gitignore') && `${folder}/`.startsWith(path.slice(0, -'.gitignore'.length));
}

/** What no scan would take is not written to the disk first. */
function isReadable(path: string): boolean {
  const names = path.split('/');
  const last = names.at(-1)!;
  if (names.some((name) => name === 'node_modules' || (name.startsWith('.') && name !== '.gitignore')))
    return false;
  return !isBinaryName(last);
}

function nameOf({ owner, name, ref }: Repository): string {
  return shown(`github:${owner}/${name}${ref ? `@${ref}` : ''}`);
}

function statusError(repository: Repository, status: number): VaiError {
  if (status === 404) {
    return new VaiError('SOURCE_NOT_FOUND', `${nameOf(repository)} was not found.`, {
      hint: 'Check owner, name and ref; private repositories cannot be fetched.',
      data: { status },
    });
  }
  return new VaiError('FETCH_FAILED', `${nameOf(repository)} answered ${status}.`, {
    hint: 'Try again later.',
    data: { status },
  });
}
