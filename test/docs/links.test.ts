// Every relative link and picture of the README and the docs leads somewhere, heading anchors included.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

function pages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...top, ...docs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))].map(
    (page) => join(root, page),
  );
}

/** Prose only: what stands in fences and inline code is not a link. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

function linksOf(markdown: string): string[] {
  const text = prose(markdown);
  const written = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map((match) => match[1]!);
  const tagged = [...text.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)].map((match) => match[1]!);
  return [...written, ...tagged].filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

/** As GitHub names the headings of a page. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map((match) =>
      match[1]!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

test('links are read from prose and tags, not from code', () => {
  const page =
    '[a](b.md#c) `[x](no.md)` <img src="p.png"> [w](https://e.org)\n```\n[y](no.md)\n```\n![i](i.svg "t")';
  assert.deepEqual(linksOf(page), ['b.md#c', 'i.svg', 'p.png']);
});

for (const page of pages()) {
  test(`links of ${relative(root, page)}`, () => {
    const markdown = readFileSync(page, 'utf8');
    for (const link of linksOf(markdown)) {
      const [path = '', anchor] = decodeURIComponent(link).split('#');
      const target = path ? resolve(dirname(page), path) : page;
      assert.ok(existsSync(target), `${link} leads nowhere`);
      assert.ok(!relative(root, target).startsWith('..'), `${link} leaves the project`);
      if (anchor !== undefined && target.endsWith('.md'))
        assert.ok(anchorsOf(readFileSync(target, 'utf8')).has(anchor), `${link}: no such heading`);
    }
  });
}
