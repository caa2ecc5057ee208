// What the explanations show exists: commands, flags, tools and pages. The reference page is written from the code, and
// a test of its own keeps it current, so it is what the texts are compared with.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOPICS } from '../../../src/engine/explain/explain.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const reference = readFileSync(join(root, 'docs', 'reference.md'), 'utf8');
const PROGRAMS = /^(?:vai|blz|flowrag-mcp)(?= |$)/;

/** Headings of the reference with the flags listed beneath each: `vai docs add` → `--force`, `-y`, … */
const sections = new Map<string, Set<string>>(
  reference.split(/^#{3,4} /m).map((section) => {
    const flags = [...section.matchAll(/^\| `(-[^`]*)` \|/gm)].flatMap(([, names]) =>
      names!.match(/--?[\w-]+/g)!,
    );
    return [section.split('\n', 1)[0]!.trim(), new Set(flags)];
  }),
);
const inherited = new Set(['--help', '--version', '--verbose']);

/** Commands in code blocks and code spans of a text, and the examples to try. */
function commands({ content, tryIt }: (typeof TOPICS)[number]): string[] {
  const blocks = [...content.matchAll(/^```bash\n([^`]*)^```$/gm)].flatMap(([, code]) => code!.split('\n'));
  const spans = [...content.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  const code = [...blocks, ...spans].map((line) => line.split('| ').at(-1)!.split(' > ')[0]!);
  return [...code, ...tryIt].filter((line) => PROGRAMS.test(line));
}

function checkCommand(example: string): void {
  const words = example.replaceAll(/"[^"]*"|'[^']*'/g, 'TEXT').split(' ');
  let name = words.shift()!;
  while (words.length > 0 && sections.has(`${name} ${words[0]}`)) name = `${name} ${words.shift()}`;
  assert.ok(sections.has(name), `no command ${name}`);
  const rest = words.filter((word) => word !== '');
  // A program alone takes flags only; a word after it that is no flag is a command that does not exist.
  if (!name.includes(' ') && rest.length > 0) assert.match(rest[0]!, /^-/, `no command ${name} ${rest[0]}`);
  for (const flag of rest.filter((word) => /^--?[a-z]/i.test(word)))
    assert.ok(sections.get(name)!.has(flag) || inherited.has(flag), `${name} has no ${flag}`);
}

function anchors(page: string): Set<string> {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase());
  return new Set(headings.map((heading) => heading.replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-')));
}

for (const topic of TOPICS) {
  test(`${topic.name}: commands and tools exist`, () => {
    for (const example of commands(topic))
      assert.doesNotThrow(() => {
        checkCommand(example);
      }, example);
    for (const [tool] of topic.content.matchAll(/(?<![\w/])(?:vai|flowrag)_[a-z]+/g))
      assert.ok(sections.has(tool), tool);
  });

  test(`${topic.name}: links lead somewhere`, () => {
    assert.ok(topic.links?.length, 'no link');
    for (const link of topic.links) {
      if (link.startsWith('https://')) continue;
      const [path, anchor] = link.split('#');
      assert.ok(existsSync(join(root, path!)), link);
      if (anchor) assert.ok(anchors(readFileSync(join(root, path!), 'utf8')).has(anchor), link);
    }
  });

  test(`${topic.name}: 400 to 900 words`, () => {
    const words = topic.content.trim().split(/\s+/).length;
    assert.ok(words >= 400 && words <= 900, `${words}`);
  });
}
