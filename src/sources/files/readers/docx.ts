// DOCX as text with its headings, through mammoth, which gets an archive of the parts that hold text and nothing else.

import mammoth from 'mammoth';
import { shortName } from '../decode.ts';
import { orDamaged, readText, type Reader } from '../reader.ts';
import { zipOf, zipParts } from '../zip.ts';
import { htmlText } from './html.ts';

export const readDocx: Reader = async (name, bytes) => {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const buffer = zipOf(zipParts(shortName(name), archive, (part) => /\.(?:xml|rels)$/.test(part)));
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await orDamaged(name, () =>
    mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false }),
  );
  const { text, headings } = htmlText(value, true);
  const title = headings.find(({ level }) => level === 1)?.text;
  return readText({ text: `${text.trimEnd()}\n`, syntax: 'plain', title, headings });
};
