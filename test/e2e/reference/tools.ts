// Every tool with every argument, every resource and prompt, and what the answer must hold. A case is one line; cases run
// in order against one server over stdio, in the folder that world.ts makes.

type Call = [tool: string, values: Record<string, unknown>, expected: RegExp];

/** `{site}` is the documentation server of the world; what a named group of a pattern catches can stand in later cases. */
export const TOOLS: Call[] = [
  [
    'vai_ingest',
    {
      text: '# Herons\n\nHerons stand still, then strike.',
      source: 'herons.md',
      collection: 'birds',
      db: 'vai',
      metadata: { kind: 'bird' },
      chunkStrategy: 'markdown',
      chunkSize: 800,
      model: 'builtin-embed-1',
      onExisting: 'replace',
    },
    /"chunksCreated":1,/,
  ],
  [
    'vai_query',
    {
      query: 'how do herons hunt',
      db: 'vai',
      collection: 'birds',
      limit: 1,
      model: 'builtin-embed-1',
      rerank: true,
      filter: { 'metadata.kind': 'bird' },
      deadlineMs: 40_000,
      maxTokens: 500,
      minRelevance: 0.1,
    },
    /then strike.*"verdict":"answered".*"resultCount":1/,
  ],
  [
    'vai_ingest',
    { text: '# Storks\n\nStorks are no herons.', source: 'storks.md', collection: 'birds' },
    /"chunksCreated":1,/,
  ],
  ['vai_query', { query: 'herons', collection: 'birds', limit: 1 }, /"cursor":"(?<reranked>[^"]+)"/],
  [
    'vai_query',
    { query: 'herons', collection: 'birds', limit: 1, cursor: '{reranked}' },
    /"source":"storks\.md"/,
  ],
  [
    'vai_search',
    {
      query: 'herons',
      db: 'vai',
      collection: 'birds',
      limit: 1,
      model: 'builtin-embed-1',
      filter: { 'metadata.kind': 'bird' },
      mode: 'words',
      minRelevance: 0,
    },
    /birds\/herons\.md:1-3@.*"mode":"words"/,
  ],
  ['vai_search', { query: 'herons', collection: 'birds', limit: 1 }, /"cursor":"(?<found>[^"]+)"/],
  [
    'vai_search',
    { query: 'herons', collection: 'birds', limit: 1, cursor: '{found}' },
    /"source":"storks\.md"/,
  ],
  [
    'vai_rerank',
    { query: 'herons', documents: ['about storks', 'about herons'], model: 'builtin-rerank-1' },
    /"results":\[\{"index":1/,
  ],
  [
    'vai_embed',
    { text: 'heron', model: 'builtin-embed-1', inputType: 'document', dimensions: 64 },
    /"dimensions":64,"inputType":"document"/,
  ],
  ['vai_similarity', { text1: 'a heron', text2: 'a heron', model: 'builtin-embed-1' }, /"similarity":1,/],
  ['vai_collections', { db: 'vai' }, /"name":"birds","documentCount":2/],
  ['vai_models', { category: 'rerank' }, /"category":"rerank".*"rerank-2\.5"/],
  ['vai_explain', { topic: 'two-stage' }, /"content":".{200}/],
  [
    'vai_estimate',
    { docs: 1000, queries: 50, months: 6, docTokens: 400, queryTokens: 20 },
    /"docTokens":400,"queryTokens":20/,
  ],
  [
    'vai_get',
    { target: 'birds/herons.md:3', view: 'section', db: 'vai', cursor: '' },
    /"citation":"birds\/herons\.md:1-3@.*then strike/,
  ],
  [
    'vai_chunk',
    { text: 'One sentence here. Another one there.', chunkStrategy: 'sentence', chunkSize: 100, overlap: 10 },
    /"strategy":"sentence","size":100,"overlap":10/,
  ],
  [
    'vai_index',
    {
      action: 'list',
      db: 'vai',
      collection: 'birds',
      type: 'vector',
      name: 'any',
      dimensions: 256,
      filterFields: ['metadata.kind'],
    },
    /"action":"list","database":"vai"/,
  ],
  [
    'source-add',
    { alias: 'guide', url: '{site}/guide.md', force: true },
    /"alias":"guide".*"totalLines":1\d/,
  ],
  [
    'find',
    {
      query: 'maxPoolSize',
      snippets: ['guide:5-7'],
      source: 'guide',
      contextMode: 'none',
      linePadding: 1,
      maxResults: 1,
      minRelevance: 0,
    },
    /"hits":\[\{"alias":"guide".*"lines":"4-8"/,
  ],
  ['list-sources', { filter: 'guide' }, /"alias":"guide".*"kind":"installed"/],
  ['run-command', { command: 'inspect', source: 'guide' }, /"exitCode":0/],
  ['learn-blz', {}, /"source":\["birds","guide"\]/],
  ['flowrag_index', { force: true }, /"added":4/],
  ['flowrag_search', { query: 'token', collection: '*', version: '9' }, /no documentation of version 9/],
  ['vai_query', { query: 'token', version: '9' }, /no documentation of version 9/],
  ['vai_search', { query: 'token', version: '9' }, /no documentation of version 9/],
  ['find', { query: 'token', version: '9' }, /no documentation of version 9/],
  [
    'flowrag_search',
    { query: 'token', mode: 'hybrid', limit: 2, minRelevance: 0 },
    /docs\/(auth|gateway|draft)/,
  ],
  ['flowrag_entities', { type: 'SERVICE', query: 'Auth', limit: 5 }, /"name":"Auth Service"/],
  [
    'flowrag_relations',
    { entity: 'Auth Service', direction: 'out', type: 'USES', minConfidence: 0.5 },
    /"target":"Redis"/,
  ],
  ['flowrag_trace', { entity: 'Gateway', direction: 'downstream' }, /"name":"Redis"/],
  ['flowrag_path', { from: 'Gateway', to: 'Redis', maxDepth: 4 }, /"found":true.*"length":2/],
  ['flowrag_stats', {}, /"documents":4/],
  [
    'flowrag_contribute',
    {
      entities: [
        { name: 'Redis', type: 'DATABASE', description: 'keeps tokens', citation: 'docs/none.md:1' },
      ],
      relations: [{ source: 'A', type: 'USES', target: 'B', description: 'so', citation: 'docs/none.md:1' }],
      remove: true,
    },
    /"refused":\[\{"statement":"Redis"/,
  ],
  ['vai_ingest', { text: 'Storks migrate.', source: 'storks.md', collection: 'birds' }, /"chunksCreated":1,/],
  ['vai_delete', { collection: 'birds', path: 'storks.md', db: 'vai' }, /"documents":1,"chunks":1/],
];

/** As listed, as asked for, and what it must hold. */
export const RESOURCES: [template: string, uri: string, expected: RegExp][] = [
  ['vai://collections', 'vai://collections', /"name": "birds"/],
  ['vai://collections/{db}/{collection}', 'vai://collections/vai/birds', /herons\.md/],
  ['vai://models', 'vai://models', /builtin-embed-1/],
  ['vai://explain/{topic}', 'vai://explain/moe', /^# /],
  ['blz://sources/{alias}', 'blz://sources/guide', /"alias":"guide"/],
  ['blz://registry', 'blz://registry', /"alias":"astro"/],
  ['resource://blz/sources/{alias}', 'resource://blz/sources/guide', /"alias":"guide"/],
  ['resource://blz/registry', 'resource://blz/registry', /"alias":"astro"/],
  ['flowrag://schema', 'flowrag://schema', /"SERVICE"/],
];

export const PROMPTS: [name: string, values: Record<string, string>, expected: RegExp][] = [
  ['complete-graph', {}, /flowrag_contribute|No passage/],
  ['discover-docs', { technologies: 'astro' }, /source-add .*astro/],
];
