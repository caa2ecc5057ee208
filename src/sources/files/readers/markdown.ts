// Markdown and MDX, kept exactly as written. Only the front matter is read here; headings and fences are the engine's.

import type { Metadata } from '../../../domain/document.ts';
import { decodeText } from '../decode.ts';
import { parseFrontMatter } from '../front-matter.ts';
import { readText, type Reader } from '../reader.ts';

export const readMarkdown: Reader = async (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  const metadata = await parseFrontMatter(text, notices);
  return readText({ text, syntax: 'markdown', title: titleOf(metadata), metadata, notices });
};

function titleOf(metadata: Metadata | undefined): string | undefined {
  const title = metadata?.['title'];
  if (typeof title !== 'string' && typeof title !== 'number') return undefined;
  return String(title).replaceAll(/\s+/g, ' ').trim().slice(0, 300) || undefined;
}
