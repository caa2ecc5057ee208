// Small files that are made to cost a reader hours or gigabytes, made on the spot: none is kept in the repository.

import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { docx, docxParts, paragraph, pdfFile, zip } from '../sources/files/fixtures.ts';

export interface Bomb {
  name: string;
  bytes: Buffer;
}

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function stream(content: string | Buffer, more = ''): Buffer {
  const body = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${body.length} ${more} >>\nstream\n`),
    body,
    Buffer.from('\nendstream'),
  ]);
}

/** A page whose content is object 4. */
function onePage(content: Buffer, resources: string, ...others: (string | Buffer)[]): Buffer {
  return pdfFile([
    CATALOGUE,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << ${resources} >> /Contents 4 0 R >>`,
    content,
    ...others,
  ]);
}

/** Forms that draw each other ten times, twenty deep. */
function nestedForms(): Buffer {
  const levels = 20;
  const draw = '/F Do '.repeat(10);
  const forms = Array.from({ length: levels }, (_, at) =>
    stream(
      at === levels - 1 ? 'BT /T 9 Tf (x) Tj ET' : draw,
      at === levels - 1
        ? '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'
        : `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${6 + at} 0 R >> >>`,
    ),
  );
  return onePage(stream(draw), '/XObject << /F 5 0 R >>', ...forms);
}

/** Thousands of pages that all show the same long content. */
function manyPages(): Buffer {
  const count = 5000;
  const content = deflateSync(Buffer.from('BT /T 9 Tf (words and words) Tj ET '.repeat(20_000)));
  const pages = Array.from({ length: count }, () => '4 0 R').join(' ');
  return pdfFile([
    CATALOGUE,
    `<< /Type /Pages /Kids [${pages}] /Count ${count} >>`,
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /T 3 0 R >> >> /Contents 5 0 R >>',
    stream(content, '/Filter /FlateDecode'),
  ]);
}

/** Compressed twice, a thousand times a thousand: 2 GB of white space, put together from one compressed block. */
function nestedFilters(): Buffer {
  const block = deflateRawSync(Buffer.alloc(10_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: 200 }, () => block);
  const inner = Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, Buffer.from([3, 0, 0, 0, 0, 0])]);
  return onePage(
    stream(deflateSync(inner, { level: 9 }), '/Filter [/FlateDecode /FlateDecode]'),
    '/Font << /T 5 0 R >>',
    FONT,
  );
}

/** A tree of pages that contains itself. */
function endlessPages(): Buffer {
  return pdfFile([CATALOGUE, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000 >>']);
}

/** Two directories: the one at the end lists a harmless part, one a lenient reader finds lists another. */
function twoDirectories(): Buffer {
  const hidden = docx(paragraph('EVILTEXT '.repeat(3)));
  const shown = docx(paragraph('GOODTEXT'));
  // The offsets of the second archive count from its own beginning, not from that of the file.
  return Buffer.concat([hidden, shown]);
}

/** Two parts of one name: which one is read depends on who reads. */
function twoParts(): Buffer {
  const parts = docxParts(paragraph('GOODTEXT'));
  const archive = zip({
    ...parts,
    'word/documenU.xml': docxParts(paragraph('EVILTEXT'))['word/document.xml']!,
  });
  return Buffer.from(archive.toString('latin1').replaceAll('documenU.xml', 'document.xml'), 'latin1');
}

/** Every entry of the directory points at the same megabytes. */
function overlapping(): Buffer {
  const archive = zip(docxParts(paragraph(' '.repeat(40_000_000))));
  const end = archive.length - 22;
  const start = archive.readUInt32LE(end + 16);
  const entries = archive.subarray(start, end);
  const last = entries.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const copies = 400;
  const directory = Buffer.concat([
    entries.subarray(0, last),
    ...Array.from({ length: copies }, (_, at) => {
      const entry = Buffer.from(entries.subarray(last));
      // 0001ment.xml, 0002ment.xml, …
      if (at > 0) entry.write(String(at).padStart(4, '0'), entry.length - 'document.xml'.length, 'latin1');
      return entry;
    }),
  ]);
  const tail = Buffer.from(archive.subarray(end));
  const count = tail.readUInt16LE(10) - 1 + copies;
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(directory.length, 12);
  return Buffer.concat([archive.subarray(0, start), directory, tail]);
}

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + paragraph('x') + close.repeat(levels);

/** `harmless`: what it says, where it can be read all the same. */
export const BOMBS: readonly { what: string; make: () => Bomb; harmless?: string }[] = [
  {
    what: 'DOCX of a million small paragraphs',
    make: () => ({ name: 'a.docx', bytes: docx(paragraph('a').repeat(800_000)) }),
  },
  {
    what: 'DOCX that unpacks to 190 MB',
    make: () => ({ name: 'b.docx', bytes: docx(paragraph('a'.repeat(190_000_000))) }),
  },
  {
    what: 'DOCX with 400 MB of pictures',
    make: () => {
      const filler = Buffer.alloc(100_000_000);
      const parts = Array.from({ length: 4 }, (_, at) => [`word/media/${at}.bin`, filler] as const);
      return { name: 'c.docx', bytes: zip({ ...docxParts(paragraph('a')), ...Object.fromEntries(parts) }) };
    },
    harmless: 'a\n',
  },
  { what: 'DOCX whose parts overlap', make: () => ({ name: 'd.docx', bytes: overlapping() }) },
  {
    what: 'DOCX nested 100,000 deep',
    make: () => ({
      name: 'e.docx',
      bytes: docx(deep('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 100_000)),
    }),
  },
  { what: 'DOCX behind a second archive', make: () => ({ name: 'f.docx', bytes: twoDirectories() }) },
  { what: 'DOCX with two parts of one name', make: () => ({ name: 'g.docx', bytes: twoParts() }) },
  { what: 'PDF of forms in forms', make: () => ({ name: 'a.pdf', bytes: nestedForms() }) },
  { what: 'PDF of 5,000 pages that are one', make: () => ({ name: 'b.pdf', bytes: manyPages() }) },
  { what: 'PDF compressed twice', make: () => ({ name: 'c.pdf', bytes: nestedFilters() }) },
  { what: 'PDF whose pages contain themselves', make: () => ({ name: 'd.pdf', bytes: endlessPages() }) },
  {
    what: 'HTML nested 1,000,000 deep',
    make: () => ({ name: 'a.html', bytes: Buffer.from('<div>'.repeat(1_000_000)) }),
  },
  {
    what: 'Markdown of 15 million headings',
    make: () => ({ name: 'a.md', bytes: Buffer.from('# a\n'.repeat(15_000_000)) }),
  },
  {
    what: 'text of 60 million line ends',
    make: () => ({ name: 'a.rst', bytes: Buffer.alloc(60_000_000, '\n') }),
  },
];
