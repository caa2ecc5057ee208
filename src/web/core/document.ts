// The lines of one document, as far as they were read: a window without gaps that grows at both ends. Documents of
// ordinary size are read whole.

import type { Citation } from './citation.ts';
import type { Server } from './server.ts';

/** What is read before anything is shown, in characters; a longer document goes on by request. */
const ENOUGH = 600_000;
/** A citation so far into a document is read with this many lines before it, instead of from line 1. */
const FAR = 4_000;
const BEFORE = 1_000;
const STEP = 1_000;

export interface TextWindow {
  /** Number of the first line. */
  from: number;
  lines: string[];
  /** Whether the last line of the document is among them. */
  complete: boolean;
}

interface Snippet {
  lines: string;
  content: string;
  headingPath: string[];
  fetchedAt: string;
  stale: boolean;
  status?: string;
  truncated?: boolean;
}

export interface FindAnswer {
  snippets: Snippet[];
  notices?: { message?: string; code?: string }[];
}

export interface Loaded {
  text: TextWindow;
  stale: boolean;
  fetchedAt: string;
}

/** Reads the document around a citation; undefined when those lines are gone. */
export async function loadDocument(server: Server, at: Citation): Promise<Loaded | string> {
  const from = at.start > FAR ? at.start - BEFORE : 1;
  const first = await read(server, `${at.name}:${from}-${from + 100_000}`);
  const snippet = first.snippets[0];
  if (!snippet) return first.notices?.[0]?.message ?? 'These lines are gone.';
  const text: TextWindow = { from, lines: snippet.content.split('\n'), complete: !snippet.truncated };
  let size = snippet.content.length;
  while (!text.complete && (size < ENOUGH || from + text.lines.length <= at.end))
    size += await readOn(server, at.name, text);
  return { text, stale: snippet.stale, fetchedAt: snippet.fetchedAt };
}

/** Appends what follows the window; the number of characters read. */
export async function readOn(server: Server, name: string, text: TextWindow): Promise<number> {
  const from = text.from + text.lines.length;
  const snippet = (await read(server, `${name}:${from}-${from + 100_000}`)).snippets[0];
  if (!snippet) {
    text.complete = true;
    return 0;
  }
  text.lines.push(...snippet.content.split('\n'));
  text.complete = !snippet.truncated;
  return snippet.content.length;
}

/** Puts earlier lines before the window. */
export async function readBack(server: Server, name: string, text: TextWindow): Promise<void> {
  const from = Math.max(1, text.from - STEP);
  const snippet = (await read(server, `${name}:${from}-${text.from - 1}`)).snippets[0];
  const lines = snippet?.content.split('\n') ?? [];
  // A shortened answer ends before the window begins; only what joins it is of use.
  if (lines.length < text.from - from) return;
  text.lines.unshift(...lines);
  text.from = from;
}

function read(server: Server, citation: string): Promise<FindAnswer> {
  return server.call<FindAnswer>('find', { snippets: [citation], contextMode: 'none' });
}
