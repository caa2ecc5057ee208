// complete-graph: lets an agent read the passages that name many entities but state few relations, and add what they
// say.

import { formatRange } from '../../domain/lines.ts';
import { stableFence } from '../shared/fence.ts';
import type { Prompt, ToolContext } from '../tool.ts';

/** Passages of one message: what a model reads with care. */
const PASSAGES = 5;
const BUDGET = 16_000;

export const completeGraph: Prompt = {
  name: 'complete-graph',
  title: 'Complete the graph',
  description: 'Read the passages that name many entities but state few relations, and add what they say.',
  arguments: [],
  async get(_, context) {
    return {
      description: 'Passages to read for relations',
      messages: [{ role: 'user', text: await message(context) }],
    };
  },
};

async function message({ engine, call }: ToolContext): Promise<string> {
  const { sparseSections, warnings } = await engine.graph.stats(call);
  const { entityTypes, relationTypes } = engine.graph.schema();
  const { db } = engine.graph.settings;
  if (sparseSections.length === 0)
    return [
      'No passage of the knowledge graph names many entities and states little of them.',
      ...warnings,
    ].join(' ');
  const { snippets } = await engine.cite.read(call, {
    citations: sparseSections.slice(0, PASSAGES).map(({ citation }) => citation),
    db,
    budget: BUDGET,
  });
  const passages = snippets.map(({ collection, path, range, content }) => {
    const lines = content.split('\n').map((line, at) => `${range.start + at}: ${line}`);
    return `${path === '' ? collection : `${collection}/${path}`}:${formatRange(range)}\n${lines.join('\n')}`;
  });
  const text = passages.join('\n\n');
  const fence = stableFence(text);
  return [
    'Complete the knowledge graph from the passages below. Read each one and note every relation between two named things that it states: not what it only suggests, denies, or says of the past. Call flowrag_relations for an entity to see what is known already.',
    `Then call flowrag_contribute with the new ones. Entity types: ${entityTypes.join(', ')}; relation types: ${relationTypes.join(', ')}; any other type is kept as a keyword. Cite the fewest lines that name both ends, with the heading where only that names one.`,
    'Statements whose lines do not name both ends are refused with the reason; put them right or leave them out. When all are done, get this prompt again: it shows the next passages. A passage that states nothing more may be left as it is; stop when only such ones are left.',
    fence.notice,
    fence.wrap(text),
  ].join('\n\n');
}
