// Trace and path against plain references, on made graphs. Rows 16 and 17 of the FlowRAG reference, section 12.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortestPath } from '../../../src/engine/graph/path.ts';
import { traceFlow } from '../../../src/engine/graph/trace.ts';
import type { EdgeOptions, GraphEdge, GraphReads } from '../../../src/ports/graph-store.ts';

function graphOf(edges: readonly [string, string, string?][]): GraphReads & { asked: number } {
  const all: GraphEdge[] = edges.map(([source, target, type = 'USES']) => ({
    source,
    target,
    type,
    mentions: 1,
    confidence: 0.8,
  }));
  const graph = {
    asked: 0,
    async edges(keys: readonly string[], direction: 'in' | 'out' | 'both', { limit, types }: EdgeOptions) {
      graph.asked += 1;
      const wanted = new Set(keys);
      const ofType = ({ type }: GraphEdge) =>
        !types || ('only' in types ? types.only.includes(type) : !types.except.includes(type));
      const found = all.filter(
        (edge) =>
          ofType(edge) &&
          ((direction !== 'in' && wanted.has(edge.source)) ||
            (direction !== 'out' && wanted.has(edge.target))),
      );
      return found.slice(0, limit);
    },
  };
  return graph as unknown as GraphReads & { asked: number };
}

const node = fc.integer({ min: 0, max: 9 }).map(String);
const someEdges = fc
  .array(fc.tuple(node, node, fc.constantFrom('USES', 'CONSUMES')), { maxLength: 30 })
  .map((list) => list.filter(([a, b]) => a !== b));

function distances(edges: readonly (readonly [string, string])[], start: string): Map<string, number> {
  const found = new Map([[start, 0]]);
  for (let depth = 1, frontier = [start]; frontier.length > 0; depth++) {
    frontier = edges.filter(([from, to]) => frontier.includes(from) && !found.has(to)).map(([, to]) => to);
    for (const one of frontier) found.set(one, depth);
  }
  return found;
}

test('16: depths are those of a plain breadth-first search, and every edge shown exists', async () => {
  await fc.assert(
    fc.asyncProperty(
      someEdges,
      node,
      fc.constantFrom('upstream' as const, 'downstream' as const),
      async (edges, start, direction) => {
        const flow = edges.map(([a, b, type]): [string, string] =>
          (type === 'CONSUMES') === (direction === 'downstream') ? [b, a] : [a, b],
        );
        const trace = await traceFlow(graphOf(edges), start, {
          direction,
          scope: undefined,
          reverseFlow: ['CONSUMES'],
          types: [],
        });
        assert.deepEqual([...trace.depths].sort(), [...distances(flow, start)].sort());
        for (const edge of trace.edges)
          assert.ok(
            edges.some(([a, b, type]) => a === edge.source && b === edge.target && type === edge.type),
          );
      },
    ),
    { numRuns: 200 },
  );
});

test('16: a leaf is one node, a cycle ends, size and depth are bounded', async () => {
  const options = { direction: 'downstream' as const, scope: undefined, reverseFlow: [], types: [] };
  const leaf = await traceFlow(graphOf([['a', 'b']]), 'b', options);
  assert.deepEqual([leaf.depths.size, leaf.edges.length, leaf.truncated], [1, 0, false]);
  const cycle = await traceFlow(
    graphOf([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ]),
    'a',
    options,
  );
  assert.deepEqual([cycle.depths.size, cycle.edges.length], [3, 3]);
  const chain = Array.from({ length: 40 }, (_, i): [string, string] => [`n${i}`, `n${i + 1}`]);
  const long = await traceFlow(graphOf(chain), 'n0', options);
  assert.deepEqual([long.depths.size, long.truncated], [11, true]);
  const star = Array.from({ length: 500 }, (_, i): [string, string] => ['hub', `leaf${i}`]);
  const wide = await traceFlow(graphOf(star), 'hub', options);
  assert.deepEqual([wide.depths.size, wide.truncated], [200, true]);
});

test('17: the path is shortest along the arrows, else shortest over them either way', async () => {
  await fc.assert(
    fc.asyncProperty(someEdges, node, node, async (edges, from, to) => {
      const found = await shortestPath(graphOf(edges), [from, to], { scope: undefined, maxDepth: 20 });
      const along = distances(
        edges.map(([a, b]): [string, string] => [a, b]),
        from,
      ).get(to);
      const either = distances(
        edges.flatMap(([a, b]): [string, string][] => [
          [a, b],
          [b, a],
        ]),
        from,
      ).get(to);
      if (along !== undefined) assert.deepEqual([found?.directed, found?.steps.length], [true, along]);
      else if (either !== undefined)
        assert.deepEqual([found?.directed, found?.steps.length], [false, either]);
      else assert.equal(found, undefined);
      let at = from;
      for (const step of found?.steps ?? []) {
        assert.ok(edges.some(([a, b, type]) => a === step.source && b === step.target && type === step.type));
        assert.equal(step.forward ? step.source : step.target, at);
        at = step.forward ? step.target : step.source;
      }
      if (found) assert.equal(at, to);
    }),
    { numRuns: 300 },
  );
});

test('17: a direct edge wins; parallel edges are named; the depth is kept', async () => {
  const edges: [string, string, string][] = [
    ['a', 'b', 'USES'],
    ['b', 'c', 'USES'],
    ['c', 'd', 'USES'],
    ['a', 'd', 'OWNS'],
    ['a', 'd', 'CALLS'],
  ];
  const found = await shortestPath(graphOf(edges), ['a', 'd'], { scope: undefined, maxDepth: 5 });
  assert.deepEqual(
    found?.steps.map((step) => [step.type, step.alsoTypes]),
    [['CALLS', ['OWNS']]],
  );
  const chain: [string, string][] = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'd'],
  ];
  assert.equal(await shortestPath(graphOf(chain), ['a', 'd'], { scope: undefined, maxDepth: 2 }), undefined);
  assert.equal(
    (await shortestPath(graphOf(chain), ['a', 'a'], { scope: undefined, maxDepth: 2 }))?.steps.length,
    0,
  );
});

test('17: a complete graph of 14 nodes with an unreachable target ends after a few questions, at any depth', async () => {
  const names = Array.from({ length: 14 }, (_, i) => `n${i}`);
  const graph = graphOf(
    names.flatMap((a) => names.filter((b) => a !== b).map((b): [string, string] => [a, b])),
  );
  assert.equal(await shortestPath(graph, ['n0', 'nowhere'], { scope: undefined, maxDepth: 20 }), undefined);
  assert.ok(graph.asked <= 6);
});
