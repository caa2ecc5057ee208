// What was fetched from one address as a text. A file of another format is read as one of this machine is: in the worker,
// within its limits of time and memory.

import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { ReadText } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Fetched } from '../../ports/source.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';

export type FetchedContent = Extract<Fetched, { changed: true }>;

export interface FetchedRead {
  read: ReadText;
  /** Of a file: the hash of its bytes, which the next check compares. */
  rawSha256?: string;
  /** What the fetcher and the reader had to say. */
  notices: string[];
}

export async function readFetched(
  deps: EngineDeps,
  call: Call,
  alias: string,
  fetched: FetchedContent,
): Promise<FetchedRead> {
  const notices = [...fetched.notices, ...fullText(alias, fetched)];
  if (fetched.variant !== 'file') return { read: { text: fetched.text, syntax: 'markdown' }, notices };
  const { read } = await deps.worker.read({ ...fetched.file, profile: BLOCK_PROFILE }, call);
  if (read.text.trim() === '')
    throw new VaiError('NOT_DOCUMENTATION', `${fetched.file.name} contains no text.`);
  return { read, rawSha256: fetched.sha256, notices: [...notices, ...(read.notices ?? [])] };
}

/** Somebody who asked for the index may not know that there is more. */
function fullText(alias: string, fetched: FetchedContent): string[] {
  if (fetched.variant === 'file' || fetched.full === undefined) return [];
  return [
    `This is an index of links; its full text is stored by \`blz add ${alias} ${fetched.full} --force\`.`,
  ];
}

/** What a collection's record keeps of it beside its source. */
export function extraOf({ contentType }: FetchedContent, { read, rawSha256, notices }: FetchedRead) {
  const version = rawSha256 === undefined ? undefined : read.metadata?.['version'];
  return {
    contentType,
    diagnostics: notices,
    statedVersion: typeof version === 'string' && /^v?\d[\w.+-]{0,40}$/.test(version) ? version : undefined,
  };
}
