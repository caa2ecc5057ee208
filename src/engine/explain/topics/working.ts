// Explanations: keys, limits, and working with vai itself.

import type { Topic } from '../topic.ts';

export const WORKING: readonly Topic[] = [
  {
    name: 'api-keys',
    aliases: ['keys', 'apikeys', 'api-key', 'key'],
    title: 'API keys: which there are and where they go',
    summary:
      'Two kinds of keys exist: those vai uses at a provider, and those a client uses at your vai server.',
    content: `**Provider keys** let vai call hosted models. A Voyage key begins with \`pa-\` when it was made at Voyage and with \`al-\` when it was made in MongoDB Atlas; vai sends each to its own issuer. Set \`VOYAGE_API_KEY\` in the environment, or store it with \`vai config set api-key\`, which writes \`~/.vai/config.json\` readable only by you. Gemini uses \`GEMINI_API_KEY\`. No key is needed to start.

**Server keys** let an agent reach your vai over HTTP. \`vai mcp-server generate-key\` prints one once and keeps only its hash; it can be limited to reading, to some collections, to a rate and to a date. Clients send it as a bearer token. Over stdio no key is used: the client starts vai as your own process.

Rules that vai keeps for you: a secret is never printed (only its first and last four characters), never logged, never part of an error. A project's \`.vai.json\` and \`.env\` cannot name keys, models or addresses until you trust the project (\`vai trust\`), so a cloned repository cannot redirect your texts.`,
    tryIt: ['vai ping', 'vai config list'],
    related: ['api-access', 'mcp', 'models'],
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
    content: `Voyage models can be bought in two places. A key made in MongoDB Atlas begins with \`al-\` and is served at \`https://ai.mongodb.com/v1\`; a key made at Voyage begins with \`pa-\` and is served at \`https://api.voyageai.com/v1\`. Models, prices and request bodies are the same; billing and organisation differ.

vai chooses the address by the key's prefix, and Atlas for a prefix it does not know. \`VOYAGE_API_BASE\` (or \`vai config set base-url\`) replaces it, for a gateway inside your network for example. If key and address belong to different issuers you get a warning, and the provider answers 401: error \`PROVIDER_AUTH\`.

Limits on an account without payment method are strict (3 requests and 10,000 tokens a minute), which looks like an endless \`PROVIDER_RATE_LIMIT\`. Adding a payment method lifts them and keeps the free tokens: 200 million for most models, 50 million for domain models.`,
    tryIt: ['vai ping', 'vai config get base-url'],
    related: ['api-keys', 'batch-processing', 'models'],
  },
  {
    name: 'batch-processing',
    aliases: ['batch', 'batching', 'rate-limits', 'rate-limit', 'limits'],
    title: 'Batches and rate limits: large ingests without trouble',
    summary:
      'vai fills requests up to what each model accepts, waits when told to, and never pays twice for the same text.',
    content: `A request may hold 1,000 texts, but also only so many tokens: 120,000 for voyage-4-large and the domain models, 320,000 for voyage-4, a million for voyage-4-lite. vai sends at most 128 texts and 80 percent of the token limit at a time, estimates tokens high (a third of the ASCII characters, one for every other character), and halves a batch that the provider still finds too large.

When the provider says 429, vai waits as long as \`Retry-After\` asks (30 seconds at most at once, 45 in total per call) and tells you that it waits; server errors are tried three more times. Two requests run at a time.

Every vector is kept in the store under a hash of text, model, dimensions and role as soon as it arrives. An ingest that is interrupted goes on where it stopped when you run it again, and a renamed or copied file costs nothing.

Ask for the price first: \`vai estimate <path>\` reads your files and sends nothing; \`vai ingest --max-cost\` stops before the limit.`,
    tryIt: ['vai estimate docs/', 'vai ingest docs/ --max-cost 0.50'],
    related: ['ingest', 'api-access', 'models'],
  },
  {
    name: 'ingest',
    aliases: ['ingestion', 'ingesting', 'add', 'indexing', 'upload'],
    title: 'Ingest: how text gets in',
    summary:
      'Text is read with its exact lines, cut, embedded and written in one transaction per document; the same source replaces itself.',
    content: `\`vai ingest <path>\` takes files and folders of this machine; the tool \`vai_ingest\` takes a text from an agent, never a path. Both end in the same place.

What happens: the reader keeps the exact lines, headings become a tree, the text is cut into chunks (see chunking), each chunk is embedded, and then everything about the document is written in one transaction. A failure leaves the previous version as it was.

A document is known by its collection and source. Ingesting the same source again **replaces** what it said before and reports how many chunks were written and removed; an unchanged text costs nothing. \`onExisting\` may be \`append\` (keep both) or \`skip\`.

The first ingest decides the embedding model of a collection; later ones must fit it. Metadata you add (\`{"type": "meeting-notes"}\`) can be used in filters. Limits: 2 million characters per text from an agent, 16 KB of metadata.`,
    tryIt: ['vai ingest docs/ --collection handbook', 'vai collections'],
    related: ['chunking', 'filters', 'batch-processing'],
  },
  {
    name: 'llms-txt',
    aliases: ['llms.txt', 'llms-full', 'blz', 'documentation', 'docs'],
    title: 'llms.txt: documentation made for agents',
    summary:
      'Many projects publish their documentation as one text file for language models; vai keeps such files with exact lines.',
    content: `A web page of documentation carries navigation, scripts and styling around the text. Projects therefore publish \`llms.txt\` (an annotated index) and \`llms-full.txt\` (everything in one file) for machines. vai fetches them with \`blz add\`, finds the best variant, and keeps it as a collection.

Search by words over such a source takes milliseconds and cites exact lines: \`bun:304-324\`. The agent then opens only those lines instead of reading a page. Because a source is a collection like any other, \`vai query\` searches it by meaning too, and \`flowrag_*\` can look for relations in it.

Sources are checked for changes with conditional requests, and an update that loses most of a text is held back until you agree. Only https and public addresses are fetched unless you name a host of your own network in \`BLZ_ALLOW_PRIVATE\`.`,
    tryIt: ['blz --help', 'vai collections'],
    related: ['citations', 'hybrid-search', 'ingest'],
  },
  {
    name: 'mcp',
    aliases: ['mcp-server', 'tools', 'model-context-protocol', 'agents', 'claude', 'cursor'],
    title: 'MCP: how agents use vai',
    summary:
      'The Model Context Protocol lets any agent discover and call the tools of vai, over stdio or HTTP.',
    content: `MCP is a JSON-RPC protocol between an agent's host (Claude, Cursor, VS Code, your own program) and servers that offer **tools** to call, **resources** to read and **prompts** to start from. The host shows the tools to its model, the model decides to call one, and the result comes back into the conversation.

\`vai mcp-server\` offers three toolsets: \`vai_*\` for retrieval, the BLZ tools for documentation, and \`flowrag_*\` for the graph; \`--toolsets\` narrows them. Locally the host starts vai itself and talks over stdin and stdout. For a team, \`--transport http\` serves many clients from one process, with a key for each.

A good order of calls: \`vai_collections\` to see what there is, \`vai_query\` with the question, then cite. \`vai_ingest\` is the only one of the ten that writes, and \`--read-only\` takes it away.

What a tool returns is data: text from documents is fenced as untrusted, and an agent should not follow instructions found in it.`,
    tryIt: ['vai mcp-server --help', 'vai ping'],
    related: ['api-keys', 'rag', 'citations'],
  },
  {
    name: 'chat',
    aliases: ['vai-chat', 'rag-chat', 'conversation', 'conversational', 'chat-history', 'llm'],
    title: 'Chatting with your documents',
    summary:
      'vai finds and cites; the conversation belongs to your agent, which calls vai when it needs knowledge.',
    content: `A chat over documents needs a language model, a memory of the conversation and retrieval. vai is the third part. It has no chat of its own: the agent you already use holds the conversation and calls vai through MCP.

What makes such a chat good:

- **Ask standalone questions.** "And how long?" retrieves nothing; the agent should rewrite it to "How long is a session token valid?" before it calls \`vai_query\`.
- **Retrieve again when the subject changes**, rather than carrying old passages along.
- **Few passages, cited.** Five with their citations; \`maxTokens\` keeps them within a budget.
- **Say when nothing was found.** vai tells why in \`notice\`: an empty collection, a filter that excluded everything, or simply no match.

To try without an agent, \`vai query\` prints what the agent would get.`,
    tryIt: ['vai query "How long is a session token valid?" --limit 5'],
    related: ['rag', 'mcp', 'citations'],
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
    content: `MongoDB Atlas can take over embedding: an index declares a text field and a Voyage model, Atlas makes the vectors when documents are written or changed, and a query is sent as text. Nothing of this runs in your application; the feature is young, so check its state and its limits in the Atlas documentation.

It suits data that already lives in MongoDB as short text fields: product descriptions, tickets, comments. It does less for documents, because cutting into chunks, heading paths and line numbers are left to you: a long field gets one vector.

vai makes its vectors itself, on every store alike, and records the model with the collection. A collection whose index embeds automatically can be searched in Atlas; for citations and hybrid ranking, ingest the documents with vai.`,
    tryIt: ['vai collections', 'vai explain vai-vs-auto-embedding'],
    related: ['vai-vs-auto-embedding', 'vector-search', 'chunking'],
    links: ['https://www.mongodb.com/docs/atlas/atlas-vector-search/'],
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
      'Automated embedding for records that live in Atlas; vai for documents that must be cut, cited and searched several ways.',
    content: `Use **automated embedding in Atlas** when the texts are fields of records you keep in MongoDB anyway, each is short, the application is the only reader, and vectors alone are enough.

Use **vai** when the texts are documents. It cuts them along their headings, keeps exact lines for citations, searches by words and relations besides vectors, reranks, replaces a document as a whole when its source changes, and serves agents over MCP. It runs with no cloud at all, and on MongoDB Atlas when a team shares the knowledge.

Both can share one Atlas cluster: vai keeps its own collections and indexes, named in \`vai collections\`, and leaves others alone. Vectors of both are comparable only if model and dimensions agree; there is rarely a reason to mix them.`,
    tryIt: ['vai collections', 'vai estimate --docs 20000'],
    related: ['auto-embedding', 'ingest', 'hybrid-search'],
  },
];
