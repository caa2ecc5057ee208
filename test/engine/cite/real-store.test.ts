// Reading citations from a real store: whatever the text and the lines, what comes back is the text, byte for byte.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { indexLines, sliceLines } from '../../../src/domain/lines.ts';
import { CONTEXT_MODES } from '../../../src/engine/cite/context.ts';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('# Top', '## Middle', '### Low', 'Setext', '---', '```', '~~~', '- item'),
  },
  { weight: 3, arbitrary: fc.lorem({ maxCount: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => text.replaceAll(/[\n\r\0]/g, ' ')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '\ttabbed', 'ends with cr\r', '"quoted" \\ back', '💡 two units'),
  },
);
const text = fc
  .array(line, { minLength: 3, maxLength: 120 })
  .map((lines) => `start\n${lines.join('\n')}`)
  .filter((value) => value.isWellFormed());

test('lines of generated texts come back exactly, in every mode', async () => {
  const samples = fc.sample(text, { numRuns: 15, seed: 4 });
  for (const [at, sample] of samples.entries()) {
    blz.server.set(`/gen${at}.md`, sample);
    await blz.engine.docs.add(blz.call, { alias: `gen${at}`, url: `${blz.server.origin}/gen${at}.md` });
    const index = indexLines(sample);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom(...CONTEXT_MODES), async (a, b, mode) => {
        const [start, end] = [(a % index.count) + 1, (b % index.count) + 1].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const { snippets, failed } = await blz.engine.cite.read(blz.call, {
          citations: [`gen${at}:${start}-${end}`],
          mode,
        });
        assert.deepEqual(failed, []);
        const { range, content } = snippets[0]!;
        assert.ok(range.start <= start && range.end >= end);
        assert.equal(content, sliceLines(sample, range, index));
      }),
      { numRuns: 12, seed: at },
    );
  }
});

test('following `next` gives the whole back, however small the answers are', async () => {
  const [sample] = fc.sample(text, { numRuns: 1, seed: 9 });
  const whole = Array.from({ length: 6 }, () => sample!).join('\n');
  blz.server.set('/parts.md', whole);
  await blz.engine.docs.add(blz.call, { alias: 'parts', url: `${blz.server.origin}/parts.md` });
  const lines = indexLines(whole).count;
  for (const budget of [700, 1500, 6000]) {
    const parts: string[] = [];
    let next: string | undefined = `parts:1-${lines}`;
    for (let calls = 0; next && calls < 2000; calls++) {
      const read = await blz.engine.cite.read(blz.call, { citations: [next], budget });
      const [snippet] = read.snippets;
      parts.push(snippet!.content);
      next = snippet!.next;
    }
    assert.equal(parts.join('\n'), sliceLines(whole, { start: 1, end: lines }).replaceAll('\r\n', '\n'));
  }
});

test('a line longer than an answer is cut and marked as cut', async () => {
  blz.server.set('/wide.md', `# Wide\n\n${'x'.repeat(100_000)}\nafter\n`);
  await blz.engine.docs.add(blz.call, { alias: 'wide', url: `${blz.server.origin}/wide.md` });
  const { value, text: answer } = await blz.tool('find', { snippets: ['wide:3-4'] });
  assert.ok(answer.length <= 40_000);
  assert.equal(value.snippets[0].truncated, true);
  assert.match(value.snippets[0].next, /^wide:4@/);
  assert.equal(value.notices[0].code, 'long_line');
});

test('ten ranges of one source are one read of it', async () => {
  const store = await blz.deps.stores.open('vai');
  let reads = 0;
  const lines = store.documents.lines.bind(store.documents);
  store.documents.lines = (...args) => {
    reads += 1;
    return lines(...args);
  };
  try {
    const citations = Array.from({ length: 10 }, (_, at) => `parts:${1 + at * 3}-${2 + at * 3}`);
    const { snippets } = await blz.engine.cite.read(blz.call, { citations });
    assert.equal(snippets.length, 10);
    assert.equal(reads, 1);
  } finally {
    store.documents.lines = lines;
  }
});

test('what does not fit into an answer is named, so that it can be asked for', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `row ${at} ${'word '.repeat(60)}`).join('\n');
  blz.server.set('/rows.txt', rows);
  await blz.tool('source-add', { alias: 'rows', url: `${blz.server.origin}/rows.txt` });
  const { value } = await blz.tool('find', { snippets: ['rows:1-200', 'rows:201-210', 'rows:1'] });
  assert.equal(value.snippets[0].truncated, true);
  assert.equal(value.snippets[0].lines.startsWith('1-'), true);
  const left = value.notices.filter(({ code }: { code: string }) => code === 'budget');
  assert.ok(left.some(({ citation }: { citation?: string }) => citation?.startsWith('rows:201-210')));
  assert.ok(!value.snippets.some(({ lines }: { lines: string }) => lines.startsWith('201')));
});

test('a pinned citation is followed: the same, moved, changed, gone, or of a version nobody has', async () => {
  const text = (...lines: string[]): string => `# Rules\n\n${lines.join('\n\n')}\n`;
  const url = `${blz.server.origin}/rules.md`;
  blz.server.set(
    '/rules.md',
    text('Doors close at nine.', 'Lamps stay lit.', '## Boats', 'Boats are counted.'),
  );
  await blz.engine.docs.add(blz.call, { alias: 'rules', url });
  const { snippets } = await blz.engine.cite.read(blz.call, { citations: ['rules:3'] });
  const rev = snippets[0]!.sha256.slice(0, 8);
  const follow = async (citation: string) =>
    (await blz.engine.cite.read(blz.call, { citations: [citation] })).snippets[0]!;
  const same = await follow(`rules:3@${rev}`);
  assert.deepEqual([same.status, same.citation], ['same', `rules:3@${rev}`]);
  blz.server.set('/rules.md', text('A new first rule.', 'Doors close at nine.', 'Nothing else.'));
  await blz.engine.docs.update(blz.call, { aliases: ['rules'], force: true });
  const moved = await follow(`rules:3@${rev}`);
  assert.equal(moved.status, 'moved');
  assert.match(moved.citation, /^rules:5@/);
  const gone = await follow(`rules:9@${rev}`);
  assert.deepEqual([gone.status, gone.content], ['gone', 'Boats are counted.']);
  assert.equal((await follow('rules:3@00000000')).status, undefined);
});
