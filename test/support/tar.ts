// Archives as GitHub sends them, and worse ones.

import { gzipSync } from 'node:zlib';

export interface TarItem {
  name: string;
  body?: string | Buffer;
  /** Default: a plain file. */
  type?: string;
  link?: string;
  /** Said instead of the true size. */
  size?: number;
}

function header({ name, type = '0', link = '', size }: TarItem, length: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write((size ?? length).toString(8).padStart(11, '0') + '\0', 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(sum.toString(8).padStart(6, '0') + '\0 ', 148);
  return block;
}

const line = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(String(length) + rest) !== length) length += 1;
  return String(length) + rest;
};

export function tar(items: readonly TarItem[], commit?: string): Buffer {
  const parts: Buffer[] = [];
  const put = (item: TarItem): void => {
    const body = Buffer.from(item.body ?? '');
    if (item.name.length > 100) put({ name: 'pax', type: 'x', body: line('path', item.name) });
    parts.push(header(item, body.length), body, Buffer.alloc((512 - (body.length % 512)) % 512));
  };
  if (commit) put({ name: 'pax_global_header', type: 'g', body: line('comment', commit) });
  for (const item of items) put(item);
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** A repository's archive: its files in one folder, the commit as Git writes it. */
export function archive(
  files: Record<string, string>,
  { commit = 'a'.repeat(40), more = [] }: { commit?: string; more?: readonly TarItem[] } = {},
): Buffer {
  const items = Object.entries(files).map(([name, body]) => ({ name: `repo-main/${name}`, body }));
  return gzipSync(tar([{ name: 'repo-main/', type: '5' }, ...items, ...more], commit));
}
