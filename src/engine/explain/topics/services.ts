// Explanations: keys, limits and services of others.

import type { Topic } from '../topic.ts';

export const SERVICES: readonly Topic[] = [
  {
    name: 'api-keys',
    aliases: ['keys', 'apikeys', 'api-key', 'key'],
    title: 'API keys: which there are and where they go',
    summary:
      'Two kinds of keys exist: those vai uses at a provider, and those a client uses at your vai server.',
    content: `No key is needed to start: the built-in models, search, citations and the graph work without one. When keys come in, there are two kinds, and they never meet.

## Provider keys: vai calls a hosted model

| provider | variable | in the config |
|---|---|---|
| Voyage | \`VOYAGE_API_KEY\` | \`vai config set api-key\` |
| Gemini | \`GEMINI_API_KEY\` | \`vai config set gemini-api-key\` |
| OpenAI-compatible | \`VAI_OPENAI_API_KEY\` | \`vai config set openai-api-key\` |
| Bedrock | AWS's own variables or profile | |

\`vai config set api-key\` without a value asks for it, so that it does not end up in the history of your shell, and keeps it in \`~/.vai/config.json\`, readable by you alone. For containers each secret may come from a file: \`VOYAGE_API_KEY_FILE\` names it.

A Voyage key begins with \`pa-\` when it was made at Voyage and with \`al-\` when it was made in MongoDB Atlas; vai sends each to its own issuer. \`vai ping --call\` makes one real call of a few tokens and says whether the key is accepted.

## Server keys: an agent calls your vai

Over stdio no key is used: the client starts vai as your own process. Over HTTP each request needs one, on every address, also on this machine:

\`\`\`bash
vai mcp-server generate-key --name ci --scopes read --collections handbook --expires 30d
\`\`\`

The key is printed once. vai keeps only its SHA-256 digest. It can be limited:

- \`--scopes\`: \`read\`, \`write\`, \`admin\` (default: read and write);
- \`--collections\`: the only ones it can see; others do not exist for it;
- \`--rate\`: calls a minute;
- \`--expires\`: \`12h\`, \`30d\`, \`2w\` or a date.

Clients send it as \`Authorization: Bearer <key>\`. \`vai mcp-server list-keys\` shows the owner and last use of each, \`revoke-key\` takes one away at once, and \`rotate-key\` replaces one while the old key lives on for a grace period. People can use tokens of your identity provider instead of keys (\`--oauth\`).

## What vai does with secrets

It never prints a secret in full, never logs one, never puts one into an error message, and never sends one to a client. An OpenAI-compatible key goes only to the host you configured. A key that another program left in \`OPENAI_API_KEY\` is used only if you set the address to \`api.openai.com\` yourself.

A repository you clone may bring configuration files. Until you run \`vai trust\` there, they cannot choose a model or database, and keys and addresses in \`.vai.json\` are never honoured, trusted or not. So nobody can redirect your texts by a pull request.

## Rules for teams

Give each client a key of its own with the least it needs; reading agents need no \`write\`. Set an expiry for CI. Keep provider keys on the server alone: clients of a team server need only its key. If a key leaks, revoke it and read the audit log (\`vai mcp-server audit\`), which records each change with the key that made it.`,
    tryIt: ['vai ping', 'vai config list', 'vai mcp-server list-keys'],
    related: ['api-access', 'mcp', 'models'],
    links: ['docs/models-and-costs.md#setting-a-key', 'docs/team-server.md#start-it', 'docs/security.md'],
  },
  {
    name: 'api-access',
    aliases: [
      'access',
      'atlas-vs-voyage',
      'atlas-key',
      'platform-key',
      'endpoints',
      'endpoint',
      'authentication',
      'auth',
    ],
    title: 'API access: Atlas or Voyage',
    summary: 'The same models are served at two addresses, and a key works only at the one that issued it.',
    content: `Voyage models can be bought in two places, and a key works only at the place that issued it.

| | MongoDB Atlas | Voyage |
|---|---|---|
| key begins with | \`al-\` | \`pa-\` |
| address | \`https://ai.mongodb.com/v1\` | \`https://api.voyageai.com/v1\` |
| billing | your Atlas organisation | your Voyage account |
| models, prices, requests | the same | the same |

If your knowledge base is on Atlas anyway, an Atlas key keeps everything on one bill. Otherwise it makes no difference.

## How vai chooses the address

By the prefix of the key; for a prefix it does not know, Atlas. \`VOYAGE_API_BASE\` or \`vai config set base-url\` replaces the address, for example by a gateway inside your network that adds the real key. If key and address belong to different issuers, you get a warning, and the provider will refuse the key.

## Set-up and check

\`\`\`bash
vai config set api-key
vai ping
vai ping --call
\`\`\`

The first asks for the key and stores it. The second shows what is configured and whether the addresses answer, at no cost. The third makes one real call of a few tokens; it is the only one that proves that the key is valid and has a budget.

## When it does not work

**\`PROVIDER_AUTH\`** (the provider answered 401 or 403). The key is mistyped, revoked, or sent to the other issuer. Look at \`vai config list --origins\`: an address left over from an earlier key is the usual cause.

**\`PROVIDER_RATE_LIMIT\`** (429), again and again. An account without a payment method is limited to 3 requests and 10,000 tokens a minute, which one small folder exceeds. Adding a payment method lifts the limits and keeps the free tokens: 200 million for most models, 50 million for the domain models. vai waits as long as the provider asks, within bounds, and then reports when to try again; what was embedded until then is kept.

**No answer at all.** A proxy or firewall blocks the address. \`vai ping\` shows which one was tried.

**It works in the terminal and not in the client.** Desktop clients do not read the profile of your shell, so a variable set there is missing. Store the key with \`vai config set api-key\`, or give it in the \`env\` block of the client's entry.

**The built-in model answers although a key is set.** The collection was made without the key and keeps its model. Every answer names the model it used; \`vai collections\` shows the model of each. Ingest the sources into a new collection to change it.

## What is sent

The texts to be embedded or reranked, with the headings above each chunk, and the questions. Not sent are metadata, keys of clients, addresses of databases, and anything from collections that are not part of the call. With the built-in models nothing is sent at all.

How agents authenticate at your own vai server is another matter; the topic on API keys describes both kinds.`,
    tryIt: ['vai ping', 'vai config list --origins'],
    related: ['api-keys', 'batch-processing', 'models'],
    links: [
      'docs/models-and-costs.md#setting-a-key',
      'docs/models-and-costs.md#what-leaves-the-machine',
      'docs/clients.md',
    ],
  },
  {
    name: 'batch-processing',
    aliases: ['batch', 'batching', 'rate-limits', 'rate-limit', 'limits'],
    title: 'Batches and rate limits: large ingests without trouble',
    summary:
      'vai fills requests up to what each model accepts, waits when told to, and never pays twice for the same text.',
    content: `Embedding ten thousand documents through an API one text at a time would take hours and run into every limit there is. vai groups texts into batches, keeps within the limits, and remembers what it has paid for. You do not have to configure anything; this is what happens.

## What goes into one request

A provider accepts only so many texts and tokens per request:

| model | tokens per request |
|---|--:|
| voyage-4-large, domain models | 120,000 |
| voyage-4 | 320,000 |
| voyage-4-lite | 1,000,000 |

vai sends at most 128 texts and 80 percent of the token limit at a time. Tokens are estimated high (a third of the ASCII characters, one for every other character), so batches are seldom too large. One that the provider still refuses is halved, if need be down to the single text, which is then named in the error. Texts to be stored are never shortened silently.

## When the provider says "slow down"

Two requests are in flight at a time. On 429 vai waits as long as \`Retry-After\` asks, at most 30 seconds at once and 45 seconds per call, and says that it waits. On timeouts, server errors and broken connections it tries three more times. After that the error says when to try again.

If limits are reached constantly, the account probably has no payment method; the topic on API access has the figures.

## Interrupted is not lost

Every vector is stored as soon as it arrives, under a hash of text, model, dimensions and role. Every document is written in one transaction. So an ingest that is killed leaves whole documents, and the same command goes on where it stopped without paying again. For the same reason a renamed or copied file costs nothing, and of a changed file only the chunks that changed are embedded.

## Knowing the price first

\`vai estimate docs/ --model voyage-4-large\` reads and chunks the files as an ingest would and prints files, chunks, tokens, requests, money and time; it sends nothing. For the documentation of React (223 files) it says 1.42 million tokens and $0.17; billed were 1.05 million and $0.13, because the estimate is on the high side.

\`vai ingest docs/ --max-cost 0.50\` stops before the limit is passed. What was written until then stays.

## Advice for large collections

1. Estimate, then ingest one folder and look at the result before you ingest the rest.
2. Leave out what nobody searches: \`--exclude '**/changelog/**'\`.
3. Use \`--sync\` for repeated runs, so that deleted files disappear.
4. With the built-in model none of these limits apply; it embeds more than 100,000 short chunks a second on one core.

Limits of your own server are a different matter: it allows 1,200 calls a minute and key by default (\`--rate-limit\`), and a key can have its own (\`generate-key --rate\`). A client that exceeds it gets 429 with \`Retry-After\`, just as vai does from a provider.`,
    tryIt: ['vai estimate docs/', 'vai ingest docs/ --max-cost 0.50'],
    related: ['ingest', 'api-access', 'models'],
    links: [
      'docs/models-and-costs.md#how-calls-are-kept-small',
      'docs/models-and-costs.md#what-will-it-cost',
      'docs/team-server.md#names-proxies-limits',
    ],
  },
  {
    name: 'auto-embedding',
    aliases: [
      'auto-embed',
      'autoembed',
      'automatic-embedding',
      'automatic-embeddings',
      'atlas-auto-embed',
      'mongodb-auto-embedding',
      'zero-code',
    ],
    title: 'Automated embedding in MongoDB Atlas',
    summary: 'Atlas can embed a text field with a Voyage model by itself, on writing and on querying.',
    content: `MongoDB can take over embedding. A vector index of the kind \`autoEmbed\` names a text field and a Voyage model. The database then makes a vector whenever a document is written or changed, and a query is sent as text instead of as a vector. The application contains no embedding code at all. The feature is young; check its state, models and limits in the documentation of Atlas before you build on it.

## What it is good at

Data that already live in MongoDB as short text fields: product descriptions, tickets, comments, profiles. Each record is one unit of search, it changes with the application, and keeping vectors in step by hand would be the tedious part. Automated embedding does exactly that part.

## What it leaves to you

- **Chunking.** A field gets one vector. A manual in one field is about everything and near to nothing.
- **Place.** There are no headings, lines or pages, so there is nothing to cite.
- **Words.** Search by words is another index and another query, and fusing both is your code.
- **Reranking and relevance.** The score is a similarity; whether anything answers is for you to judge.
- **Portability.** The vectors belong to the index. Another server, a backup on another machine or a local copy cannot search without them.

## What vai does instead

vai embeds what it stores, on every store alike, and records the model with the collection. A copy, a backup and each further server therefore give the same answers, and the cosine of a hit can be computed and shown. With a Voyage key the models are the same ones that Atlas would use.

vai does not create \`autoEmbed\` indexes. If another application has one on the \`text\` field of a collection of vai's, vai leaves it alone and searches its own index. A collection that has only such an index is searched by words.

## An example

The same handbook on Atlas, embedded by vai:

\`\`\`bash
export MONGODB_URI='mongodb+srv://…'
vai ingest docs/ --collection handbook
vai index list
vai search "how do we rotate keys" --collection handbook
\`\`\`

The first ingest creates the vector index of the collection and the index of words that all collections share. \`vai index list\` shows whether they are ready; on a new cluster that takes about a minute. Afterwards Atlas follows writes with a delay of about a second.

An existing collection that was embedded with the original \`voyageai-cli\` needs no move: it is listed, searched by meaning and cited as it is.

## Costs

Embedding costs the same tokens whoever makes the call. The difference is when: automated embedding pays for every change of the field and for every query; vai pays once per distinct text, because vectors are kept by the hash of their text, and for queries may use a cheaper model of the same space.

If you are undecided, the topic that compares both approaches goes through the criteria.`,
    tryIt: ['vai collections', 'vai index list', 'vai explain vai-vs-auto-embedding'],
    related: ['vai-vs-auto-embedding', 'vector-search', 'chunking'],
    links: [
      'https://www.mongodb.com/docs/atlas/atlas-vector-search/',
      'docs/mongodb-atlas.md#without-atlas',
      'docs/mongodb-atlas.md#search-indexes',
    ],
  },
  {
    name: 'vai-vs-auto-embedding',
    aliases: [
      'vai-vs-autoembedding',
      'manual-vs-auto',
      'auto-vs-manual',
      'which-approach',
      'embedding-approach',
    ],
    title: 'vai or automated embedding?',
    summary:
      'Automated embedding for records that live in Atlas; vai for documents that must be divided, cited and searched several ways.',
    content: `Both put vectors of Voyage models into MongoDB, so they are easily taken for alternatives. They solve different problems: automated embedding keeps the vectors of *records* in step, vai makes *documents* findable and quotable for agents.

## Side by side

| | automated embedding | vai |
|---|---|---|
| unit | a field of a record | a chunk of a document, with headings and lines |
| written by | your application | \`vai ingest\`, \`vai sync\`, agents through \`vai_ingest\` |
| searched by | your application's queries | agents, command line, web page |
| search | meaning | words, meaning, relations, reranked |
| answer | records with a score | passages with citation, relevance and a verdict |
| models | Voyage | built-in, Voyage, Gemini, Bedrock, OpenAI-compatible, Ollama, local |
| runs on | Atlas, or MongoDB with \`mongot\` | one file on your machine, MongoDB, Atlas |
| code to write | queries | none |

## Choose automated embedding when

- the texts are fields of records that you keep in MongoDB anyway;
- each is short and about one thing;
- your own application is the only reader and shows the record, not a quotation;
- vectors alone are enough, or you already have a text index beside them.

A shop that wants "similar products" under each product is the typical case. Putting vai there would be a detour.

## Choose vai when

- the texts are documents: manuals, wikis, PDF, source code, documentation of libraries;
- an agent is to answer from them and say where it says so;
- names, error messages and version numbers matter, so that words must count;
- the knowledge comes from files, repositories or websites that change and have to be followed;
- it should also work without a cloud, on one machine or in a closed network.

A team that wants its agents to answer from the handbook and from the documentation of its dependencies is the typical case.

## An example of both

A support team keeps tickets in Atlas and a handbook in Git. The ticket system uses automated embedding on the field \`summary\` to propose similar tickets. The handbook is ingested by vai into the same cluster:

\`\`\`bash
vai ingest handbook/ --collection handbook --sync
\`\`\`

Agents answer from the handbook through \`vai_query\` and cite its lines. The two do not disturb each other: vai keeps its own collections, whose internal ones begin with \`_vai_\`, and leaves other collections and indexes alone.

Should agents know about resolved tickets too, export those worth knowing as Markdown with front matter (\`type: ticket\`, \`closed: 2026-02-11\`) and ingest them; they then have citations and can be filtered.

## Can vectors be shared?

In principle vectors of both are comparable if model and dimensions agree. In practice there is hardly a reason: they stand for different units, and a ranking over records and chunks mixes things of different length. Search each and let the agent combine the results, or order them together with \`vai_rerank\`, which needs only the texts.

## Starting small

Begin with the embedded store, which needs no database: \`vai ingest\` and \`vai query\` work at once. If the team needs to share it later, \`vai copy sqlite mongodb\` moves texts, vectors and graph to Atlas without embedding anything again.`,
    tryIt: ['vai collections', 'vai estimate --docs 20000'],
    related: ['auto-embedding', 'ingest', 'hybrid-search'],
    links: [
      'docs/mongodb-atlas.md',
      'docs/mongodb-atlas.md#moving-what-you-have',
      'https://www.mongodb.com/docs/atlas/atlas-vector-search/',
    ],
  },
];
