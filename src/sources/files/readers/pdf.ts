// PDF as text, page by page: every page is a heading, so that a citation can be found in the file. Lines are lines of
// the extracted text. The library is loaded with this file, which itself is loaded when the first PDF comes.

import { getDocumentProxy, extractText } from 'unpdf';
import { VaiError } from '../../../domain/errors.ts';
import { shortName } from '../decode.ts';
import { orDamaged, readText, type Reader } from '../reader.ts';

const MAX_PAGES = 5000;
const MAX_CHARACTERS = 50_000_000;

export const readPdf: Reader = async (name, bytes) => {
  const document = await openPdf(name, bytes);
  try {
    if (document.numPages > MAX_PAGES)
      throw new VaiError('TOO_LARGE', `${shortName(name)} has more than ${MAX_PAGES} pages.`);
    const title = await titleOf(name, document);
    const { text: pages } = await orDamaged(name, () => extractText(document, { mergePages: false }));
    return readText({ syntax: 'plain', title, ...layOut(name, pages) });
  } finally {
    await document.cleanup();
  }
};

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

async function openPdf(name: string, bytes: Uint8Array): Promise<Document> {
  try {
    // The library takes the buffer over, so it gets a copy.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (thrown) {
    const locked = thrown instanceof Error && thrown.name === 'PasswordException';
    const reason = locked ? 'is protected by a password' : 'is damaged or not a PDF file';
    throw new VaiError('FILE_UNREADABLE', `${shortName(name)} ${reason}.`, { cause: thrown });
  }
}

async function titleOf(name: string, document: Document): Promise<string | undefined> {
  const { info }: { info?: { Title?: unknown } } = await orDamaged(name, () => document.getMetadata());
  return typeof info?.Title === 'string' ? info.Title.trim().slice(0, 300) : undefined;
}

function layOut(name: string, pages: readonly string[]) {
  const lines: string[] = [];
  const headings: { level: number; text: string; line: number }[] = [];
  let characters = 0;
  let empty = 0;
  for (const [at, page] of pages.entries()) {
    characters += page.length;
    if (characters > MAX_CHARACTERS)
      throw new VaiError('TOO_LARGE', `${shortName(name)} holds too much text.`);
    if (page.trim() === '') empty += 1;
    if (at > 0) lines.push('');
    headings.push({ level: 1, text: `Page ${at + 1}`, line: lines.length + 1 });
    lines.push(`Page ${at + 1}`, '', ...page.replaceAll('\u0000', '').trim().split(/\r?\n/));
  }
  const notices = empty > 0 ? [`${empty} of ${pages.length} pages have no text (they may be pictures).`] : [];
  if (empty === pages.length)
    throw new VaiError('FILE_UNREADABLE', `${shortName(name)} contains no text, only pictures.`);
  const starts = headings.map(({ line }) => line);
  return { text: `${lines.join('\n').toWellFormed()}\n`, headings, pages: starts, notices };
}
