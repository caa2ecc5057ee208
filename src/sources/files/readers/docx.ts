// DOCX as text with its headings, through mammoth. The archive is measured before it is opened: what a zip file claims
// about its sizes is not trusted, so each part is inflated once against a budget.

import mammoth from 'mammoth';
import { shortName } from '../decode.ts';
import { orDamaged, readText, type Reader } from '../reader.ts';
import { checkZip } from '../zip.ts';
import { htmlText } from './html.ts';

export const readDocx: Reader = async (name, bytes) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkZip(shortName(name), buffer);
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await orDamaged(name, () =>
    mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false }),
  );
  const { text, headings } = htmlText(value, true);
  const title = headings.find(({ level }) => level === 1)?.text;
  return readText({ text: `${text.trimEnd()}\n`, syntax: 'plain', title, headings });
};
