// Adding a model: its files are copied or downloaded beside the others, looked at and tried, and only then given their
// name. What fails leaves nothing behind.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { AddedModel, AddModelOptions, AddModelRequest } from '../../ports/models.ts';
import { makeFolder } from '../../make-folder.ts';
import { ON_THIS_MACHINE, ownerOf } from '../providers.ts';
import { prefixOf } from '../shared/prefixes.ts';
import { readAbout, type About } from './about.ts';
import {
  describeKept,
  manifestText,
  placeOf,
  requireName,
  TOKENIZER,
  TOKENIZER_CONFIG,
  WEIGHTS,
  type KeptFile,
  type Manifest,
} from './kept.ts';
import { openFiles } from './files.ts';
import { requireRuntime, type LoadRuntime, type OnnxRuntime } from './runtime.ts';
import { beside, findSource, nameOf, type ModelSource, type OpenFile, type SourceDeps } from './source.ts';

/** The format itself ends at two gigabytes. */
const MOST_WEIGHTS = 2 * 1024 ** 3;
const MOST_TOKENIZER = 64 * 1024 ** 2;
/** What a model's files are in while it is being added. */
const ADDING = '.adding-';
/** So long no add takes: what is older was left by one that was killed. */
const LEFT_MS = 24 * 60 * 60 * 1_000;
/** Steps in which progress is told. */
const TENTH = 10;

export interface AddDeps extends SourceDeps {
  folder: string;
  load: LoadRuntime;
  now: () => Date;
}

export async function addModel(
  deps: AddDeps,
  request: AddModelRequest,
  options: AddModelOptions = {},
): Promise<AddedModel> {
  const from = request.from ?? request.name;
  const name = request.from === undefined ? nameOf(request.name, deps.env) : request.name;
  requireName(name);
  const place = placeOf(deps.folder, name);
  if (existsSync(place)) throw already(name);
  // Before anything is fetched: without it nothing could be tried.
  const runtime = await requireRuntime(deps.load);
  const source = await findSource(deps, { from, ...(request.file ? { file: request.file } : {}) });
  const signal = options.signal ?? new AbortController().signal;
  await removeLeft(deps.folder, deps.now().getTime() - LEFT_MS);
  const temporary = join(deps.folder, `${ADDING}${randomUUID()}`);
  // The home may not be there yet, and is nobody else's business.
  await writing(Promise.resolve().then(() => makeFolder(temporary, 0o700)));
  try {
    const manifest = await gather(
      { ...options, name, source, temporary, signal, runtime },
      request,
      deps.now(),
    );
    const [file, text] = manifestText(manifest);
    await writing(writeFile(join(temporary, file), text));
    await writing(rename(temporary, place)).catch((error: unknown) => {
      // Another add of that name was faster.
      throw existsSync(place) ? already(name) : error;
    });
    return describeKept(manifest);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const already = (name: string): VaiError =>
  new VaiError('INVALID_INPUT', `There is already a model ${name}.`, {
    hint: `Remove it first (\`vai models remove ${name}\`), or give this one another name with --from.`,
  });

async function removeLeft(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const place of names.filter((name) => name.startsWith(ADDING)).map((name) => join(folder, name))) {
    const found = await stat(place).catch(() => undefined);
    // One that cannot be removed is in nobody's way.
    if (found && found.mtimeMs < before) await rm(place, { recursive: true, force: true }).catch(() => {});
  }
}

/** What the disk refuses is no fault of where the model comes from. */
function writing<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new VaiError('WRITE_FAILED', 'The files of the model could not be written to this machine.', {
      hint: "Check that the disk has room for them and that vai's folder is writable.",
      cause,
    });
  });
}

interface Work extends AddModelOptions {
  name: string;
  source: ModelSource;
  temporary: string;
  signal: AbortSignal;
  runtime: OnnxRuntime;
}

async function gather(work: Work, request: AddModelRequest, now: Date): Promise<Manifest> {
  const { name, source } = work;
  // The small file first: a hub that lacks it is no place for the large one.
  const tokenizer = await saveFirst(work, source.tokenizers, TOKENIZER, MOST_TOKENIZER);
  const config = await save(work, beside(tokenizer.path, TOKENIZER_CONFIG), TOKENIZER_CONFIG, MOST_TOKENIZER);
  const weights = await saveFirst(work, source.weights, WEIGHTS, MOST_WEIGHTS);
  const about = await readAbout(source, tokenizer.path, work.signal);
  const prefixes = about.prefixes ?? {
    query: prefixOf(name, 'query'),
    document: prefixOf(name, 'document'),
  };
  const pooling = request.pooling ?? about.pooling ?? (FIRST_TOKEN.test(name) ? 'cls' : 'mean');
  const tried = await tryModel(work, { ...about, pooling });
  return {
    name,
    model: ownerOf(name) === ON_THIS_MACHINE ? name : `${ON_THIS_MACHINE.id}/${name}`,
    ...tried,
    contextTokens: about.contextTokens,
    ...(about.licence ? { licence: about.licence } : {}),
    source: source.shown,
    addedAt: now.toISOString(),
    pooling,
    prefixes,
    files: {
      [WEIGHTS]: weights.kept,
      [TOKENIZER]: tokenizer.kept,
      ...(config ? { [TOKENIZER_CONFIG]: config } : {}),
    },
  };
}

/** Families whose first token stands for the text, as their model cards say, where no file does. */
const FIRST_TOKEN = /\b(?:bge-(?:small|base|large|m3)|snowflake-arctic-embed|mxbai-embed)/i;

/** A text as long as the model is said to read: what it cannot read fails here, not in the middle of an ingest. */
async function tryModel(
  work: Work,
  about: About & { pooling: Manifest['pooling'] },
): Promise<Pick<Manifest, 'type' | 'dimensions'>> {
  const model = await openFiles(work.runtime, work.temporary, about).catch((cause: unknown) => {
    throw unusable(work.name, cause);
  });
  try {
    const text = 'length '.repeat(about.contextTokens);
    if (model.kind === 'rerank') {
      await model.score('length', [text], {});
      return { type: 'rerank' };
    }
    if (about.dense && !model.pooled) throw dense();
    const { vectors } = await model.embed([text], {});
    return { type: 'embedding', dimensions: vectors[0]!.length };
  } catch (cause) {
    throw unusable(work.name, cause);
  } finally {
    await model.close();
  }
}

function unusable(name: string, cause: unknown): VaiError {
  if (cause instanceof VaiError) return cause;
  return new VaiError('MODEL_UNSUPPORTED', `The files of ${name} could not be run as a model.`, {
    hint: 'vai runs encoders and cross-encoders: an ONNX file without external data, and the tokenizer.json it was made with.',
    cause,
  });
}

const dense = (): VaiError =>
  new VaiError(
    'MODEL_UNSUPPORTED',
    'The model has a layer after its pooling that the ONNX file leaves out.',
    {
      hint: 'Take an export with a `sentence_embedding` output.',
    },
  );

async function saveFirst(
  work: Work,
  paths: readonly string[],
  target: string,
  limit: number,
): Promise<{ path: string; kept: KeptFile }> {
  for (const path of paths) {
    const kept = await save(work, path, target, limit);
    if (kept) return { path, kept };
  }
  throw work.source.lacks(paths[0]!);
}

async function save(work: Work, path: string, target: string, limit: number): Promise<KeptFile | undefined> {
  const found = await work.source.open(path, work.signal);
  if (!found) return undefined;
  try {
    if ((found.bytes ?? 0) > limit) throw tooLarge(path, limit);
    return await copy(work, found, { path, target, limit });
  } catch (cause) {
    if (cause instanceof VaiError || work.signal.aborted) throw cause;
    throw work.source.failed(path, cause);
  } finally {
    await found.close();
  }
}

async function copy(
  work: Work,
  found: OpenFile,
  { path, target, limit }: { path: string; target: string; limit: number },
): Promise<KeptFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let shown = 0;
  const file = await writing(open(join(work.temporary, target), 'wx'));
  try {
    for await (const part of found.content) {
      bytes += part.length;
      if (bytes > limit) throw tooLarge(path, limit);
      hash.update(part);
      await writing(file.appendFile(part));
      const tenths = found.bytes ? Math.floor((bytes / found.bytes) * TENTH) : 0;
      if (tenths > shown) work.onProgress?.(path, bytes, found.bytes!);
      shown = tenths;
    }
  } finally {
    await writing(file.close());
  }
  if (found.bytes !== undefined && bytes !== found.bytes) throw work.source.failed(path, 'incomplete');
  return { bytes, sha256: hash.digest('hex') };
}

const tooLarge = (path: string, limit: number): VaiError =>
  new VaiError(
    'TOO_LARGE',
    `${path.slice(0, 200)} is larger than the ${limit / 1024 ** 2} MB that are read of it.`,
  );
