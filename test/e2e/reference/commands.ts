// Every command and flag with what its output must show. A case is one line:
//
//   ['vai search tokens -n 1 --json', /auth\.md:\d/],
//
// the command as a person types it, and a pattern (or several) for its standard output; it must end with status 0. What a
// named group of a pattern catches can stand in later lines as {name}. Cases of a group run in order in one folder
// (world.ts says what is in it), groups beside each other. Output that is not a terminal is JSON for most commands.

import type { CaseOptions } from './world.ts';

export type Case = [line: string, expected: RegExp | RegExp[], options?: CaseOptions];

const knowledge: Case[] = [
  ['vai ingest docs -c guide --exclude *.txt --json', [/"added": 3/, /"excluded"/]],
  ['vai ingest docs -c guide --include *.txt --json', /"added": 1/],
  ['vai ingest docs -c guide --force --json', [/"changed": [1-9]/, /"unchanged": 0/]],
  [
    'vai ingest docs -c guide --sync --json',
    /"deleted": 1/,
    { first: ({ remove }) => remove('docs/draft.txt') },
  ],
  [
    'vai ingest - -c notes --source today --db team --json',
    [/"source": "today"/, /"database": "team"/],
    { input: 'PIN 4921' },
  ],
  ['vai ingest docs -c words --no-vectors --json', /"vectors": 0/],
  [
    'vai ingest docs -c fine --chunk-strategy sentence --chunk-size 120 --model builtin-embed-1 --json',
    /"model": "builtin-embed-1"/,
  ],
  [
    'vai ingest docs -c paid --max-cost 5 --json',
    [/"model": "voyage-4-large"/, /"cost": 0\.0/],
    { with: 'voyage' },
  ],

  [
    'vai query how long do tokens live -c guide -k 1 --json',
    [/"citation": "(?<citation>guide\/auth\.md:1-6@[0-9a-f]{8})"/, /fifteen minutes/],
  ],
  ['vai query PIN --db team --model builtin-embed-1 --json', /PIN 4921/],
  [
    'vai query how long do tokens live --min-relevance 0.1 --json',
    [/guide\/auth\.md/, /"verdict": "answered"/],
  ],
  ['vai query tokens --no-rerank --json', /"reranked": false/],
  [
    'vai query tokens --rerank-model builtin-rerank-1 --deadline 40000 --json',
    /"rerankModel": "builtin-rerank-1"/,
  ],
  [
    `vai query tokens --filter '{"metadata.team":"red"}' --json`,
    [/(?:guide|fine)\/auth\.md/, /^(?![\s\S]*gateway\.md)/],
  ],
  ['vai ingest local/long.md -c long --only-when-named --json', /"added": 1/],
  ['vai search herons --json', /"hits": \[\]|^(?![\s\S]*long\.md)/],
  ['vai query herons -c long --max-tokens 120 --json', /"resultCount": [12],/],

  [
    'vai search pool of tokens -c guide -n 1 --json',
    [/"nextCursor": "(?<next>[^"]+)"/, /"citation": "guide\/pools\.md:1-3@/],
  ],
  ['vai search pool of tokens -c guide -n 1 --cursor {next} --json', /"citation": "guide\/(?!pools\.md:1-3)/],
  ['vai search pool of tokens -c guide -k 1 --format raw', /^guide\/pools\.md:1-3@/],
  [
    'vai query pool of tokens -c guide -k 1 --format text',
    /^Verdict: \w+.*\n\n1\. guide\/pools\.md:1-3 {2}relevance/,
  ],
  ['vai get guide/pools.md:1 --format raw', /^# /],
  ['vai query pool of tokens -c guide -k 1 --format markdown', [/^# pool of tokens/, /^> /m]],
  ['vai completion --values collections', /^guide$/m],
  ['vai export guide - --db vai', /"path":"pools\.md"/],
  ['vai export guide exported --force', /^$/],
  ['vai serve --help', /mcp-server --transport http/],
  ['vai query pool of tokens -c guide -k 1 --json', /"cursor": "(?<next>[^"]+)"/],
  ['vai query pool of tokens -c guide -k 1 --cursor {next} --json', /"citation": "guide\/(?!pools\.md:1-3)/],
  ['vai search how long do tokens live --min-relevance 0.1 --json', /"verdict": "answered"/],
  ['vai search maxpoolsize -m words --json', /pools\.md:5-7/],
  ['vai search tokens --rerank --json', /"reranked": true/],
  [`vai search tokens --filter '{"metadata.team":"red"}' --json`, /(?:guide|fine)\/auth\.md/],
  ['vai search PIN --db team --json', /notes\/today:1/],

  ['vai get {citation} --json', [/# Auth/, /"status": "same"/]],
  ['vai get guide/auth.md:6 -C section --json', /# Auth/],
  ['vai get notes/today:1 --db team --json', /PIN 4921/],
  ['vai collections --json', [/"name": "guide"/, /"name": "words"/]],
  ['vai collections guide --json', /"path": "auth\.md"/],
  ['vai --verbose collections --json', /"name": "guide"/],
  ['vai collections --db team --json', /"name": "notes"/],
  ['vai eval guide --questions questions.jsonl --json', [/"questions": 1/, /"made": false/]],
  ['vai eval guide -n 10 --db vai --json', [/"made": true/, /"recall5": 1/]],
  ['vai backup copy.db --json', /"file": "copy\.db"/],
  ['vai backup team.db --db team --json', /"database": "team"/],
  ['vai restore copy.db --db again --json', [/"database": "again"/, /"collections": [1-9]/]],
  ['vai search maxpoolsize -m words --db again --json', /pools\.md:5-7/],
  ['vai compact --json', [/"database": "vai"/, /"before": \d/]],
  ['vai compact --db team --json', /"database": "team"/],
  ['vai remove words --yes --json', [/"collection": "words"/, /"documents": 3/]],
  ['vai remove notes --db team -y --json', /"documents": 1/],
  ['vai doctor --json', [/"ok": true/, /builtin-embed-1/]],
  ['vai ping --json', [/"state": "connected"/, /"running": false/]],
  ['vai ping --call --json', /"ok": true/, { with: 'voyage' }],
];

const graph: Case[] = [
  ['vai ingest docs -c guide --exclude *.txt --json', /"added": 3/],
  ['vai graph build guide --json', /"entities": [1-9]/],
  ['vai graph show --collection guide --json', /Auth Service/],
  ['vai graph show --type SERVICE --json', /Auth Service/],
  ["vai graph show 'Auth Service' --json", /Redis/],
  ["vai graph trace 'Auth Service' --collection guide --json", [/"direction": "downstream"/, /Redis/]],
  ['vai graph trace Redis --direction impact --json', [/"direction": "impact"/, /Auth Service/]],
  ["vai graph path 'Auth Service' Redis --collection guide --max-depth 2 --json", /"found": true/],
  ['vai graph export guide --format json --json', /Auth Service/],
  [
    'vai graph export guide --format csv -o graph.csv',
    /^$/,
    { then: ({ read }) => read('graph.csv').includes('Redis') },
  ],
  ['vai ingest docs -c two --db team --exclude *.txt --json', /"database": "team"/],
  ['vai graph build two --db team --config flowrag.config.json --json', /"entities": [1-9]/],
  ['vai graph show --db team --config flowrag.config.json --json', /Auth Service/],
  ['vai graph trace Redis --db team --config flowrag.config.json --json', /"depthReached"/],
  ["vai graph path 'Auth Service' Redis --db team --config flowrag.config.json --json", /"length": 1/],
  ['vai graph export two --db team --config flowrag.config.json --format json', /Auth Service/],
];

const ADDED_MODEL = JSON.stringify({
  ...{ name: 'tiny', model: 'local/tiny', type: 'embedding', dimensions: 8, contextTokens: 16 },
  ...{ source: 'folder tiny', addedAt: '2026-11-16T12:00:00.000Z' },
  files: { 'model.onnx': { bytes: 5, sha256: '' } },
});

const models: Case[] = [
  [
    'vai embed heron --model builtin-embed-1 --dimensions 64 --input-type document --json',
    [/"dimensions": 64/, /"inputType": "document"/],
  ],
  [
    'vai embed heron --model voyage-4 --output-dtype int8 --json',
    /"vector": \[\s*-?\d+,/,
    { with: 'voyage' },
  ],
  ["vai similarity 'a heron' 'a heron' --json", /"similarity": 1/],
  [
    "vai similarity 'a heron' --against 'a stork' --model builtin-embed-1 --json",
    /"model": "builtin-embed-1"/,
  ],
  [
    "vai rerank heron 'about storks' 'about a heron' --model builtin-rerank-1 -k 1 --json",
    [/"index": 1/, /^(?![\s\S]*"index": 0)/],
  ],
  ['vai models --category rerank --json', [/rerank-2\.5/, /^(?![\s\S]*voyage-4)/]],
  ['vai models --benchmarks --json', /"benchmarks": \[/],
  // The runtime is no part of the package: it is named, and nothing is copied.
  [
    'vai models add tiny --from docs --file model.onnx --pooling cls --json',
    /^$/,
    { status: 2, stderr: /onnxruntime-node, which is not installed/ },
  ],
  [
    'vai models list --json',
    [/"model": "local\/tiny"/, /"bytes": 5/],
    { first: ({ write }) => write('home/models/tiny/vai-model.json', ADDED_MODEL) },
  ],
  ['vai models remove tiny -y --json', /"removed": "tiny"/],
  ['vai explain chunking --json', /"topic": "chunking"/],
  [
    'vai estimate --docs 1000 --queries 50 --months 6 --doc-tokens 400 --query-tokens 20 --json',
    [/"docTokens": 400/, /"queryTokens": 20/, /"months": 6/],
  ],
  [
    'vai estimate docs -c guide --db vai --model voyage-4 --include *.md --exclude gateway* --max-cost 5 --json',
    [/"model": "voyage-4"/, /"files": 2/],
    { with: 'voyage' },
  ],
];

const set_up: Case[] = [
  ['vai config path', /home\/config\.json/],
  ['vai config set default-collection guide', /default-collection = guide/],
  ['vai config get default-collection --json', /guide/],
  ['vai config list --json', /"default-collection": "guide"/],
  ['vai config list --origins --json', /"guide",\s*"origin": "config"/],
  ['vai config delete default-collection', /Removed default-collection/],
  ['vai config reset --yes', /Removed the config file/],
  ['vai setup --print cursor', /"command"/],
  ['vai setup cursor --dry-run --json', /"result": "(?!written)/],
  [
    'vai setup cursor --yes --json',
    /"result": "written"/,
    { then: ({ read }) => read('.cursor/mcp.json').includes('vai') },
  ],
  [
    'vai setup cursor --url https://vai.example/mcp --key secret-key-1 -y --json',
    /"result": "written"/,
    { then: ({ read }) => read('.cursor/mcp.json').includes('secret-key-1') },
  ],
  [
    'vai setup cursor --remove --yes --json',
    /"result": "written"/,
    { then: ({ read }) => !read('.cursor/mcp.json').includes('vai') },
  ],
  [
    'vai setup claude-code --project --yes --json',
    /"result": "written"/,
    { then: ({ read }) => read('.mcp.json').includes('"command": "vai"') },
  ],
  ['vai setup vscode --project --dry-run --json', /"file": "\.vscode\/mcp\.json"/],
  ['vai uninstall --dry-run --json', [/"removed": false/, /\.mcp\.json/]],
  ['vai init --dry-run --json', [/"alias": "react"/, /"written": false/]],
  ['vai init --json', /"written": true/],
  [
    'vai init --install --yes --json',
    /"installed": \[\s*"|"installed": \[\s*\{/,
    {
      first({ write }) {
        write('package.json', '{}');
        write('.vai.json', '{"collection": "own", "folders": ["docs"]}');
      },
    },
  ],
  ['vai sync --dry-run --json', /"sources": \[/],
  ['vai sync --yes --json', /"outcomes": \[/],
  ['vai agents --json', /"written": true/, { then: ({ read }) => read('AGENTS.md').includes('vai:begin') }],
  ['vai agents --check --file AGENTS.md --json', /"current": true/],
  ['vai skills --json', /"skills": \[/],
  ['vai trust --yes --json', [/"files": \[/, /"flowrag\.config\.json"/]],
  ['vai trust --list --json', /"state": "trusted"/],
  ['vai trust --remove', /no longer trusted/],
  ['vai uninstall --yes --json', [/"removed": true/, /AGENTS\.md/]],
  ['vai uninstall --data --dry-run --json', [/"found": \[\]/, /"data": /]],
  ['vai completion bash', /complete -F _vai vai/],
  ['blz completion fish', /complete -c blz/],
];

const mongodb: Case[] = [
  ['vai ingest docs -c guide --exclude *.txt --json', /"added": 3/],
  ['vai copy sqlite:vai/guide mongodb --as copied --json', /"copied"/, { with: 'mongodb' }],
  [
    'vai index create copied --type vector --name other --dimensions 256 --filter-field metadata.team --db vai --json',
    /"name": "other"/,
    { with: 'mongodb' },
  ],
  ['vai index list copied --db vai --json', /"other"/, { with: 'mongodb' }],
  ['vai index drop copied other --db vai --json', /other/, { with: 'mongodb' }],
];

/** As `blz …` and as `vai docs …`. */
const documentation: Case[] = [
  [
    'BLZ add guide {site}/guide.md --yes --name Guidebook --description Pools --category tools --tags a,b --json',
    /"alias": "guide"/,
  ],
  [
    'BLZ inspect guide --json',
    [/"title": "Guidebook"/, /"description": "Pools"/, /"category": "tools"/, /"a",\s*"b"/],
  ],
  ['BLZ add guide {site}/guide.md --force --json', /"totalLines": 15/],
  ['BLZ add dry {site}/guide.md --dry-run --json', /"lineCount": 15/],
  ['BLZ add --manifest manifest.toml --only kites --json', [/"alias": "kites"/, /^(?![\s\S]*"other")/]],
  ['BLZ add astro --format json', /"alias": "astro"/],
  ['BLZ list --installed --filter guide --json', [/"alias": "guide"/, /^(?![\s\S]*kites)/]],
  ['BLZ list --all -f text', [/^guide /m, /^In the registry/m, /^hono /m]],
  ['BLZ list -f jsonl', /^\{"alias":"/],
  ['BLZ search pool -s guide -n 1 --page 1 --json', [/"alias": "guide"/, /"totalHits": \d/]],
  [
    'BLZ search pool --all --headings-only -H 2 --max-chars 60 --timing -f json',
    [/"Pools"/, /"totalHits": 1/],
    { stderr: /^[\d.]+ ms$/m },
  ],
  ['BLZ get guide:11 -C 1 --json', /"lines": "10-12"/],
  ['BLZ get guide:11 -A 1 -B 2 --format text', /guide:9-12@[\s\S]* 11 A pool holds/],
  ['BLZ get guide:11 --context symmetric --json', /## Pools/],
  ['BLZ map guide --tree --max-depth 2 -H <=2 --filter Pools -f text', /^ +Pools {2}\[9-15\]$/m],
  ['BLZ map guide --json', /"Sizes"/],
  ['BLZ update guide --json', /"status": "unchanged"/],
  ['BLZ update --all --reindex --force -f json', /"status": "reindexed"/],
  [
    'BLZ update guide --format json',
    /"status": "refreshed"/,
    {
      first: ({ site }) =>
        site.set('/guide.md', '# Guide\n\n## New\n\nNew words here.\n\n## Pools\n\nA pool holds ten.\n'),
    },
  ],
  ['BLZ history guide -n 1 --json', [/"result": "updated"/, /^(?![\s\S]*"added")/]],
  ['BLZ history -f json', /"collection": "kites"/],
  ['BLZ diff guide --json', [/"added": \[\s*\{/, /"New"/, /"rev": "(?<older>[0-9a-f]+)"/]],
  ['BLZ diff guide --rev {older} -f json', /"New"/],
  ['BLZ stats --json', /"totalSources": 3/],
  ['BLZ stats -f text', /^Total sources: 3$/m],
  ['BLZ inspect -f text', /^kites$/m],
  ['BLZ schema --json', /"version": 1/],
  ['BLZ schema -f text', /^Schema version: 1$/m],
  ['BLZ validate guide --json', [/"status": "healthy"/, /"checksum_matches": true/]],
  ['BLZ validate --all --online -f json', [/"alias": "astro"/, /"alias": "guide"/]],
  ['BLZ lookup astro -n 1 --json', /"id": "astro"/],
  ['BLZ lookup astro -n 1 --check -f json', /"check": "ok: 5 lines/],
  ['BLZ registry check astro -f json', /"checked": 1,\s+"failed": 0/],
  ['BLZ registry check astro --json', /"checked": 1,\s+"failed": 0/],
  ['BLZ doctor --json', /"findings": \[/],
  ['BLZ remove astro --yes --json', /astro/],
  ['BLZ remove kites -y -f json', /kites/],
  ['BLZ clear --yes --json', /"removed": \[\s*"guide"\s*\]/],
  ['BLZ clear -y -f json', /"removed": \[\]/],
];

const keys = (server: string): Case[] => [
  [
    `${server} generate-key --name ada --owner ops --scopes read,admin --collections guide --rate 60 --spending 2.5 --channels text --expires 30d --json`,
    [
      /"key": "vai-mcp-key-/,
      /"id": "(?<id>[0-9a-f]{8})"/,
      /"channels": "text"/,
      /"rate": 60/,
      /"spending": 2.5/,
      /"expires": "20/,
    ],
  ],
  [`${server} list-keys --json`, [/"name": "ada"/, /"guide"/, /"admin"/]],
  [
    `${server} sign-in-link --key {id} --url https://vai.example --json`,
    [/"url": "https:\/\/vai\.example\/#\/sign-in\?code=[\w-]{43}"/, /"minutes": 10/],
  ],
  [
    `${server} rotate-key {id} --grace 1h --json`,
    [/"key": "vai-mcp-key-/, /"replaces": "[0-9a-f]{8}"/, /"until": "20/],
  ],
  [`${server} audit --json`, [/"breaks": \[\]/, /"lines": [1-9]/]],
  [`${server} revoke-key {id}`, /Revoked [0-9a-f]{8} \(ada\)/],
  [`${server} sample-config claude-code --url https://vai.example/mcp`, /https:\/\/vai\.example\/mcp/],
];

const as = (prefix: string, cases: Case[]): Case[] =>
  cases.map(([line, ...rest]) => [line.replace(/^BLZ/, prefix), ...rest]);

export const GROUPS: Record<string, Case[]> = {
  'the knowledge base': knowledge,
  'the graph': graph,
  models,
  'setting up': set_up,
  mongodb,
  'documentation as blz': as('blz', documentation),
  'documentation as vai docs': as('vai docs', documentation),
  keys: [...keys('vai mcp-server'), ...keys('blz mcp'), ...keys('flowrag-mcp')],
};
