// The expensive part of an ingest: headings, chunks and words of a text, from the text alone. Pure, so that another
// process can do it with the same result.

import { hash } from 'node:crypto';
import { MAX_CHUNKS, type Analysable, type Analysis } from '../../domain/analysis.ts';
import { chunkText, type Chunk } from '../../domain/chunk.ts';
import type { Heading } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Symbols } from '../../domain/symbols.ts';
import { chunkDocument } from './chunk/chunk.ts';
import { codeChunks, definitionsIn, namesOf } from './code/chunks.ts';
import { codeOutline } from './code/outline.ts';
import { outline } from './headings.ts';
import { extraWords } from './words.ts';

export function analyse(input: Analysable): Analysis {
  const { text, syntax, symbols } = input.read;
  if (symbols) return analyseCode(input, symbols);
  const structure = outline(text, syntax, input.read.headings);
  const { windows, headings, lines } = structure;
  const pieces = withoutLinkBlocks(text, chunkDocument({ text, outline: structure, profile: input.profile }));
  // Windows of lines are not headings, and a file name is not a title: neither says what a text is about.
  const title = input.title ?? input.read.title ?? (windows ? '' : titleOf(headings, pieces[0]?.headingPath));
  requireFew(pieces.length, input.maxChunks ?? MAX_CHUNKS);
  const page = pageOf(input.read.pages);
  const chunks = pieces.map((chunk) => ({
    ...chunk,
    ...page(chunk.startLine),
    extraWords: extraWords(chunkText(text, chunk)),
  }));
  return { title, sha256: sha256(text), lines: lines.count, windows, headings, chunks };
}

function analyseCode({ read, title, profile, maxChunks }: Analysable, symbols: Symbols): Analysis {
  const { text } = read;
  const structure = codeOutline(text, symbols);
  const { windows, headings, lines } = structure;
  const definedIn = definitionsIn(text, lines, symbols.definitions);
  const pieces =
    profile.strategy === 'blocks'
      ? codeChunks({ text, outline: structure, symbols }, profile)
      : chunkDocument({ text, outline: structure, profile }).map((chunk) => ({
          ...chunk,
          defines: namesOf(definedIn(chunk)),
        }));
  requireFew(pieces.length, maxChunks ?? MAX_CHUNKS);
  const chunks = pieces.map((chunk) => ({ ...chunk, extraWords: extraWords(chunkText(text, chunk)) }));
  return {
    title: title ?? read.title ?? '',
    sha256: sha256(text),
    lines: lines.count,
    windows,
    headings,
    chunks,
  };
}

/** Not a footnote, which has text. */
const LINK_DEFINITION = /^ {0,3}\[(?!\^)[^\]]{1,500}\]:[ \t]*\S+(?:[ \t\r]*$|[ \t]+["'(])/;

/** Lines that only say where the links of a page lead hold words of the page and answer nothing: they end no chunk. */
function withoutLinkBlocks(text: string, chunks: readonly Chunk[]): Chunk[] {
  const telling = chunks.flatMap((chunk) => {
    const lines = text.slice(chunk.start, chunk.end).split('\n');
    const last = lines.findLastIndex((line) => line.trim() !== '' && !LINK_DEFINITION.test(line));
    if (last === lines.length - 1) return [chunk];
    if (last === -1) return [];
    const end = chunk.start + lines.slice(0, last + 1).join('\n').length;
    return [{ ...chunk, end, endLine: chunk.startLine + last }];
  });
  if (telling.length === 0) return [...chunks];
  return telling.map((chunk, ordinal) => ({ ...chunk, ordinal }));
}

function requireFew(chunks: number, most: number): void {
  if (chunks <= most) return;
  throw new VaiError(
    'TOO_LARGE',
    `The text would become ${chunks.toLocaleString('en')} chunks; the most is ${most.toLocaleString('en')}.`,
    {
      hint: 'Use a larger chunk size, or split the text.',
    },
  );
}

/** The page a line is on; chunks come in order, so it is followed, not searched. */
function pageOf(pages: readonly number[] | undefined): (line: number) => { page?: number } {
  let page = 0;
  return (line) => {
    if (!pages) return {};
    while (page < pages.length && pages[page]! <= line) page += 1;
    return page > 0 ? { page } : {};
  };
}

/** The headings a chunk stands under, the title first. */
export function placeOf(
  { title, windows }: Pick<Analysis, 'title' | 'windows'>,
  { headingPath }: Pick<Chunk, 'headingPath'>,
): string[] {
  if (windows) return title ? [title] : [];
  return headingPath[0] === title || !title ? headingPath : [title, ...headingPath];
}

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** A lower heading is the title only where the text begins with it: below an introduction it names a section. */
function titleOf(headings: readonly Heading[], opening: readonly string[] = []): string {
  const title = headings.find((heading) => heading.level === 1) ?? headings[0]!;
  return title.level === 1 || title.text === opening[0] ? title.text : '';
}
