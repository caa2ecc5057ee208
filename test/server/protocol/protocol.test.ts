// The parts of the dispatcher that need no server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { VaiError } from '../../../src/domain/errors.ts';
import { declaredArguments } from '../../../src/server/protocol/accept.ts';
import { parseArguments } from '../../../src/server/protocol/arguments.ts';
import { page } from '../../../src/server/protocol/cursor.ts';
import { withDeadline } from '../../../src/server/protocol/deadline.ts';
import { progressSink } from '../../../src/server/protocol/progress.ts';
import { inputSchema, outputSchema } from '../../../src/server/protocol/schema.ts';
import { checkShape } from '../../../src/server/protocol/shape.ts';
import { structuredWithinBudget, textWithinBudget } from '../../../src/server/protocol/size-guard.ts';
import { compileUri } from '../../../src/server/protocol/uri-template.ts';

describe('schemas', () => {
  it('leave out keywords that carry no information', () => {
    const schema = z.strictObject({
      query: z.string().min(1).max(5000).describe('q'),
      name: z.string().min(1).max(120).optional(),
      n: z.number().int().optional(),
      mode: z.enum(['a', 'b']).default('a'),
    });
    assert.deepEqual(inputSchema(schema), {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 5000, description: 'q' },
        name: { type: 'string' },
        n: { type: 'integer' },
        mode: { default: 'a', type: 'string', enum: ['a', 'b'] },
      },
      required: ['query'],
    });
  });

  it('keep an argument that is called like a keyword', () => {
    const schema = z.strictObject({ $schema: z.string(), maximum: z.string() });
    assert.deepEqual(Object.keys(inputSchema(schema)['properties'] as object), ['$schema', 'maximum']);
  });

  it('are open, whatever validates the call', () => {
    const input = z.strictObject({ inner: z.strictObject({ a: z.string() }) });
    assert.ok(!JSON.stringify(inputSchema(input)).includes('additionalProperties'));
    const schema = z.object({ items: z.array(z.object({ a: z.string() })) });
    assert.ok(!JSON.stringify(outputSchema(schema)).includes('additionalProperties'));
  });
});

describe('arguments', () => {
  const schema = z.strictObject({
    query: z.string().min(1).max(200),
    limit: z.number().int().min(1).max(50).default(5),
    mode: z.enum(['a', 'b']).optional(),
    deep: z.boolean().optional(),
    filter: z.record(z.string(), z.unknown()).optional(),
    source: z.union([z.string(), z.array(z.string())]).optional(),
    documents: z.array(z.string()).max(3).optional(),
  });
  const declared = declaredArguments(inputSchema(schema));
  const refused = (values: Record<string, unknown>): VaiError => {
    try {
      parseArguments(schema, declared, values);
    } catch (error) {
      assert.ok(error instanceof VaiError);
      return error;
    }
    throw new assert.AssertionError({ message: 'was accepted' });
  };

  it('are filled with defaults', () =>
    assert.deepEqual(parseArguments(schema, declared, { query: 'x' }), { query: 'x', limit: 5 }));

  it('name the nearest valid one', () => {
    const error = refused({ query: 'x', limt: 3 });
    assert.equal(error.code, 'INVALID_INPUT');
    assert.match(error.message, /Unknown argument `limt`/);
    assert.match(error.hint!, /`limit`/);
    assert.deepEqual(error.suggestions, ['limit']);
  });

  it('say which one and what is wrong with it', () => {
    const cases: [Record<string, unknown>, string][] = [
      [{}, '`query` is required.'],
      [{ query: null }, '`query` is required.'],
      [{ query: '' }, '`query` must not be empty.'],
      [{ query: 7 }, '`query` must be text.'],
      [{ query: 'x'.repeat(201) }, '`query` may have at most 200 characters.'],
      [{ query: 'x', limit: 99 }, '`limit` must be a whole number from 1 to 50.'],
      [{ query: 'x', limit: 1.5 }, '`limit` must be a whole number from 1 to 50.'],
      [{ query: 'x', limit: 'many' }, '`limit` must be a whole number from 1 to 50.'],
      [{ query: 'x', mode: 'c' }, '`mode` must be one of `a`, `b`.'],
      [{ query: 'x', deep: 'perhaps' }, '`deep` must be true or false.'],
      [{ query: 'x', filter: 'type=a' }, '`filter` must be an object.'],
      [{ query: 'x', source: 5 }, '`source` must be text or a list of texts.'],
      [{ query: 'x', documents: ['a', 7] }, '`documents[1]` must be text.'],
      [{ query: 'x', documents: ['a', 'b', 'c', 'd'] }, '`documents` may have at most 3 items.'],
      [
        { limit: 0, mode: 1 },
        '`query` is required. `limit` must be a whole number from 1 to 50. `mode` must be one of `a`, `b`.',
      ],
    ];
    for (const [values, message] of cases) {
      const error = refused(values);
      assert.equal(error.message, message);
      assert.equal(error.hint, undefined, 'the sentence says it all');
    }
  });

  it('survive prototype keys and control characters', () => {
    const hostile = JSON.parse('{"query":"x","__proto__":{"a":1},"con\\u0000structor\\n":2}') as Record<
      string,
      unknown
    >;
    const { message } = refused(hostile);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(message, /[\u0000\n]/);
  });
});

describe('size guard', () => {
  it('leaves small answers alone', () => {
    const structured = { a: 1 };
    assert.equal(structuredWithinBudget(structured), structured);
    assert.equal(textWithinBudget('x'), 'x');
  });

  it('holds both channels within the limit, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 400 }), { maxLength: 60 }),
        fc.string({ maxLength: 9000 }),
        (items, text) => {
          const cut = textWithinBudget(text, 2_000);
          assert.ok(cut.length <= 2_000);
          if (cut !== text) assert.match(cut, /\[truncated/);
          const structured = structuredWithinBudget({ items, total: items.length }, { limit: 2_000 });
          assert.ok(JSON.stringify(structured).length <= 2_000);
          const kept = structured['items'] as string[];
          if (kept.length < items.length) assert.equal(structured['truncated'], true);
          assert.deepEqual(kept, items.slice(0, kept.length));
        },
      ),
    );
  });

  it('refuses what it cannot cut', () => {
    assert.throws(() => structuredWithinBudget({ blob: 'x'.repeat(50_000) }), { code: 'TOO_LARGE' });
  });
});

describe('shape', () => {
  it('agrees with the parser on what is deep', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) =>
        assert.equal(checkShape(text.padEnd(70), 64, 200_000), 'ok'),
      ),
    );
    assert.equal(checkShape('['.repeat(100) + ']'.repeat(100)), 'too deep');
    assert.equal(checkShape('{"a":'.repeat(100) + '1' + '}'.repeat(100)), 'too deep');
    assert.equal(checkShape(JSON.stringify('['.repeat(100))), 'ok');
    assert.equal(checkShape(`"\\"${'['.repeat(100)}"`), 'ok');
    assert.equal(checkShape(`[${'1,'.repeat(300_000)}1]`), 'too many values');
  });
});

describe('deadline', () => {
  it('ends a call that ignores its signal', async () => {
    const never = new Promise<never>(() => {});
    await assert.rejects(
      withDeadline(10, new AbortController().signal, () => never),
      { code: 'TIMEOUT' },
    );
  });

  it('tells the work that the caller has gone', async () => {
    const caller = new AbortController();
    let heard = false;
    const call = withDeadline(1000, caller.signal, (signal) => {
      signal.addEventListener('abort', () => (heard = true));
      return new Promise<never>(() => {});
    });
    caller.abort();
    await assert.rejects(call, { code: 'CANCELLED' });
    assert.ok(heard);
  });
});

describe('progress', () => {
  it('rises, is bounded, ends with the call', () => {
    const sent: number[] = [];
    let at = 0;
    const sink = progressSink(
      't',
      async ({ params }) => void sent.push(params.progress),
      () => at,
    );
    for (let done = 1; done <= 100; done += 1) sink.report({ done, total: 100 });
    sink.report({ done: 50, total: 100 });
    assert.deepEqual(sent, [1, 2, 3, 4, 100]);
    at = 10_000;
    sink.end();
    sink.report({ done: 200 });
    assert.equal(sent.length, 5);
  });
});

describe('pages', () => {
  const items = Array.from({ length: 25 }, (_, at) => `item-${at}`);
  const all = (list: string[]): string[] => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items: part, nextCursor } = page(list, cursor, (item) => item, 10);
      seen.push(...part);
      cursor = nextCursor;
    } while (cursor !== undefined);
    return seen;
  };

  it('hold everything once, in order', () => assert.deepEqual(all(items), items));
  it('take an empty cursor as the beginning', () =>
    assert.equal(page(items, '', (item) => item, 10).items.length, 10));
  it('refuse a bad cursor, and one of a list that has changed', () => {
    const { nextCursor } = page(items, undefined, (item) => item, 10);
    assert.throws(() => page(items, 'nonsense', (item) => item, 10), { code: -32602 });
    assert.throws(() => page([...items, 'new'], nextCursor, (item) => item, 10), { code: -32602 });
  });
});

describe('templates', () => {
  const cases: [string, string, Record<string, string> | undefined][] = [
    ['vai://models', 'vai://models', {}],
    ['vai://models', 'vai://modelsx', undefined],
    ['vai://c/{db}/{name}', 'vai://c/a/b%20c', { db: 'a', name: 'b c' }],
    ['vai://c/{db}/{name}', 'vai://c/a', undefined],
    ['vai://c/{db}/{name}', 'vai://c/a/b/c', undefined],
    ['vai://c/{name}', 'vai://c/%zz', undefined],
    ['doc://{+path}', 'doc://a/b/c', { path: 'a/b/c' }],
    ['a.b://{x}', 'aXb://1', undefined],
    ['vai://c/{name}', `vai://c/${'x'.repeat(5000)}`, undefined],
  ];
  for (const [template, uri, expected] of cases) {
    it(`${template} and ${uri.slice(0, 40)}`, () =>
      assert.deepEqual(compileUri(template).match(uri), expected));
  }
});
