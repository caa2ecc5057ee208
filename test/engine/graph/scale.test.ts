// Row 21 of the FlowRAG reference, section 12: the original dies at about 650 entities. Ours reads more than 10,000 with
// its default extractor, through a whole index run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, graphFolder } from '../../support/graph-folder.ts';

const FILES = 250;
const PER_FILE = 21;

test('more than 10,000 entities are read by the rules, and every one can be asked for', async () => {
  const folder = graphFolder();
  try {
    for (let file = 0; file < FILES; file++) {
      const lines = Array.from({ length: PER_FILE }, (_, at) => {
        const id = `${String.fromCharCode(65 + (file % 26))}x${file}q${at}`;
        return `The ${id} Service uses ${id}DB and depends on the Hub Service.`;
      });
      folder.write(`part${file % 10}/f${file}.md`, `# Area ${file}\n\n${lines.join('\n\n')}\n`);
    }
    const engine = await folder.open();
    const report = await engine.graph.index(call, {});
    assert.equal(report.failuresTotal, 0);
    assert.equal(report.run.added, FILES);
    assert.ok(report.totals.entities >= 2 * FILES * PER_FILE, `${report.totals.entities} entities`);
    assert.equal(report.totals.relations, 2 * FILES * PER_FILE);
    assert.equal(report.totals.vectors, report.totals.chunks);
    const hub = await engine.graph.relations(call, { entity: 'Hub Service', direction: 'in' });
    assert.equal(hub.total, FILES * PER_FILE);
    assert.equal(hub.truncated, true);
    const last = `${String.fromCharCode(65 + ((FILES - 1) % 26))}x${FILES - 1}q${PER_FILE - 1}`;
    const path = await engine.graph.path(call, { from: `${last}DB`, to: 'Hub Service', maxDepth: 3 });
    assert.equal(path.length, 2);
    assert.match(path.edges[0]!.evidence[0]!.citation, /f249\.md:/);
    const again = await engine.graph.index(call, {});
    assert.equal(again.run.unchanged, FILES);
    assert.equal(again.calls.embeddedTexts, 0);
    const stats = await engine.graph.stats(call);
    assert.equal(stats.entities, report.totals.entities);
  } finally {
    await folder.close();
  }
});
