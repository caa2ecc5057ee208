// Explanations: how text gets in and how agents use it.

import type { Topic } from '../topic.ts';

export const WORKING: readonly Topic[] = [
  {
    name: 'ingest',
    aliases: ['ingestion', 'ingesting', 'add', 'indexing', 'upload'],
    title: 'Ingest: how text gets in',
    summary:
      'Text is read with its exact lines, chunked, embedded and written in one transaction per document; the same source replaces itself.',
    content: `There are several ways in, and all end in the same place:

| what | how |
|---|---|
| files and folders of this machine | \`vai ingest docs/ --collection handbook\` |
| a text without a file | \`echo "…" \\| vai ingest - --source wifi\`, or the tool \`vai_ingest\` |
| documentation from the web | \`blz add bun\`, or the tool \`source-add\` |
| a GitHub repository | \`blz add express github:expressjs/express@v5.1.0\` |
| a website | \`blz add handbook site:https://docs.example.com/guide/\` |
| a folder with a graph | the tool \`flowrag_index\` |

An agent can pass text or the address of public documentation, never a path of the server's machine.

## What happens

1. The reader keeps the exact lines. Markdown, HTML, PDF, DOCX, notebooks, OpenAPI, source code and many others are understood; front matter becomes metadata.
2. Headings become a tree, and the text is divided into chunks along it. Source code is divided at its definitions.
3. Each chunk is embedded together with the headings above it.
4. Everything about the document is written in one transaction. If anything fails, the previous version stays as it was.

\`.gitignore\` is respected. Dot files, \`node_modules\`, binary files and files over the size limit are skipped, and the report says how many and why.

## Doing it again

A document is known by its collection and source. Ingesting the same source **replaces** its earlier text; an unchanged file is skipped, and a renamed one keeps its vectors. \`--sync\` also removes documents whose file is gone. The tool has \`onExisting\`: \`replace\` (the default), \`append\` or \`skip\`.

In a project, \`vai sync\` does this for all folders and sources named in \`.vai.json\`, and \`vai watch\` after each change.

## An example

Save a file \`notes/meeting.md\` with the front matter \`type: meeting-notes\` and the sentence "We keep the session store in Redis." Then

\`\`\`bash
vai ingest notes --collection team
vai query "where do sessions live" --collection team
\`\`\`

prints the passage with the citation \`team/meeting.md\` and its lines, and \`--filter '{"metadata.type": "meeting-notes"}'\` limits a search to such notes.

## Choices worth a thought

- **The collection.** Put together what is searched together. The first text decides the embedding model, which later ones must fit.
- **\`--include\` and \`--exclude\`.** Drafts, changelogs and generated pages dilute results.
- **\`--only-when-named\`.** For collections that should not answer general questions.
- **\`--max-cost\`.** With a hosted model, a bound on what the run may spend; \`vai estimate\` says before what it will.
- **\`--no-vectors\`.** Words only: nothing is embedded.

## Limits

One text from an agent has at most 2 million characters and 16 KB of metadata. A server holds keys to a million chunks per collection unless you change it. One run at a time writes to a collection; a second one is told how far the first has come.

To take something out again, use \`vai remove team/meeting.md\`; \`vai compact\` then also frees its bytes in the file.`,
    tryIt: ['vai ingest docs/ --collection handbook --sync', 'vai collections'],
    related: ['chunking', 'filters', 'batch-processing', 'llms-txt'],
    links: [
      'docs/your-documents.md',
      'docs/your-documents.md#keeping-it-current',
      'docs/documentation-sources.md#adding',
    ],
  },
  {
    name: 'llms-txt',
    aliases: ['llms.txt', 'llms-full', 'blz', 'documentation', 'docs'],
    title: 'llms.txt: documentation made for agents',
    summary:
      'Many projects publish their documentation as text for language models; vai keeps it with exact lines, and reads repositories and websites where it is missing.',
    content: `A web page of documentation carries navigation, scripts and styling around the text. Many projects therefore publish two files for machines: \`llms.txt\`, an annotated list of pages, and \`llms-full.txt\`, everything in one file. vai fetches them, keeps them as a collection, and searches them to the line.

## An example

\`\`\`bash
blz add bun
blz search "test runner" -s bun
blz get bun:304-324
\`\`\`

The first command looks the name up in the registry, which knows 237 sources. The second searches by words in milliseconds and prints citations. The third prints exactly those lines; \`--context symmetric\` adds the section around them. An agent does the same with \`source-add\` and \`find\`.

## What can be added

| you write | what is fetched |
|---|---|
| \`blz add bun\` | the entry of the registry |
| \`blz add astro https://docs.astro.build\` | \`llms-full.txt\` or \`llms.txt\` beneath the address |
| \`blz add petstore https://petstore3.swagger.io/api/v3/openapi.json\` | an OpenAPI description, a notebook or a PDF |
| \`blz add express github:expressjs/express@v5.1.0\` | a repository at a tag, branch or commit: docs and code |
| \`blz add handbook site:https://docs.example.com/guide/\` | a website that has no \`llms.txt\`, page by page |
| \`blz add style ./style.md\` | a file or folder of this machine |

An \`llms.txt\` that is only a list of links is followed to its pages, at most 500 on the same site. Websites are read as their \`robots.txt\` allows. Private repositories and pages that need a browser are not read. \`--dry-run\` fetches and counts without storing.

## The right version

Documentation of another version than the one you run is worse than none. \`vai init\` reads the lockfiles of a project and proposes sources for its dependencies at the installed versions; \`vai sync\` installs them. A hit then carries \`docsVersion\`, \`installedVersion\` and \`versionMatch\`, and the search tools take \`version\`.

## Staying current

\`blz update\` asks each source whether it changed; an unchanged one costs one conditional request. The old text is archived, and \`blz diff bun\` shows what changed. A text that lost more than half of its lines is held back until you accept it with \`--force\`: sites sometimes replace their documentation by a notice. A source not checked for 30 days is marked \`stale\` in every hit.

## One collection among others

A source is a collection like any other. \`vai query\` searches it by meaning too, \`vai graph build bun\` finds relations in it, and citations work everywhere. \`vai docs add\` is the same as \`blz add\`.

## Safety

Only https and public addresses are fetched. Private and local addresses are refused in every spelling, also behind a redirect; \`BLZ_ALLOW_PRIVATE\` opens hosts of your own network by name, \`BLZ_ALLOW_HOSTS\` limits fetching to a list, and \`BLZ_OFFLINE=1\` forbids it. Fetched text is data: a page may contain sentences that look like instructions, and an agent should not follow them.`,
    tryIt: ['blz list --installed', 'blz add bun --dry-run', 'vai docs lookup testing'],
    related: ['citations', 'hybrid-search', 'ingest'],
    links: [
      'docs/documentation-sources.md#adding',
      'docs/projects.md',
      'https://docs.astro.build/llms-full.txt',
      'https://bun.sh/llms-full.txt',
    ],
  },
  {
    name: 'mcp',
    aliases: ['mcp-server', 'tools', 'model-context-protocol', 'agents', 'claude', 'cursor', 'toolsets'],
    title: 'MCP: how agents use vai',
    summary:
      'The Model Context Protocol lets any agent discover and call the tools of vai, over stdio or HTTP.',
    content: `MCP is a JSON-RPC protocol between an agent's host (Claude, Cursor, VS Code, your own program) and servers that offer **tools** to call, **resources** to read and **prompts** to start from. The host shows the tools to its model, the model decides to call one, and the result comes back into the conversation.

## Connecting

\`vai setup\` finds the clients on this machine, shows the change it would make and asks. \`vai setup --print claude-code\` prints the entry instead. The client then starts \`vai mcp-server\` itself and talks over stdin and stdout; no key and no port are involved.

For a team, \`vai mcp-server --transport http\` serves many clients from one process, each with a key of its own.

## The toolsets

| toolset | tools | for |
|---|---|---|
| \`vai\` | \`vai_query\`, \`vai_search\`, \`vai_get\`, \`vai_ingest\` and others | your documents |
| \`blz\` | \`find\`, \`list-sources\`, \`source-add\`, \`run-command\`, \`learn-blz\` | documentation of libraries |
| \`flowrag\` | \`flowrag_search\`, \`flowrag_trace\` and others | entities and relations |

All three are offered by default. Each tool definition takes room in the agent's context, so narrow them to what is needed: \`--toolsets vai,blz\`. \`--toolsets core\` lists only four tools (\`vai_query\`, \`find\`, \`vai_get\`, \`source-add\`) in under 5 KB; the others can still be called, and the resource \`vai://tools\` describes them. \`VAI_EXTRA_TOOLS=1\` adds \`vai_chunk\`, \`vai_index\` and \`vai_delete\`.

## A good order of calls

1. \`vai_collections\`, once, to see what there is.
2. \`vai_query\` with a complete question. Look at \`metadata.verdict\` first.
3. \`vai_get\` on a citation where more context is needed.
4. Answer with citations. If the verdict is \`nothing_relevant\`, say that nothing was found.

For example, \`{"query": "How long is a session token valid?", "limit": 3}\` returns up to three passages, each with \`citation\` and \`relevance\`. If the answer was too long for one page, \`metadata.cursor\` leads to the rest.

## Teaching the agent

\`vai agents\` writes a short block into \`AGENTS.md\`: when to use which tool and what the project's collections hold. The server also offers a skill, \`search-with-vai\`, to clients that support skills. Skills that installed packages bring are listed by \`vai skills\`; none is passed on until you name it in \`.vai.json\` and run \`vai trust\`.

## What is safe

Tools say in their annotations whether they only read. \`--read-only\` removes everything that writes. Over HTTP the scopes of a key decide: a key without \`write\` is told so when it tries to ingest.

What a tool returns is data. Text from documents is marked as untrusted, and an agent should not follow instructions found in it.

Each answer comes as text and as structured content with the same information. Some hosts show both to their model; \`--channels text\` or \`structured\` halves the tokens there.`,
    tryIt: ['vai setup --print claude-code', 'vai mcp-server --help'],
    related: ['api-keys', 'rag', 'citations', 'chat'],
    links: ['docs/clients.md', 'docs/local-or-remote.md', 'docs/projects.md#skills', 'docs/reference.md'],
  },
  {
    name: 'chat',
    aliases: ['vai-chat', 'rag-chat', 'conversation', 'conversational', 'chat-history', 'llm'],
    title: 'Chatting with your documents',
    summary:
      'vai finds and cites; the conversation belongs to your agent, which calls vai when it needs knowledge.',
    content: `A chat over documents needs three things: a language model that writes, a memory of the conversation, and retrieval. vai is the third. It has no chat of its own and calls no language model for search; the agent you already use holds the conversation and calls vai through MCP.

## Setting it up

1. \`vai ingest docs/ --collection handbook\`
2. \`vai setup\`, which connects the clients it finds on this machine.
3. Ask your agent something, and name the source once: "Look it up in the handbook."

\`vai agents\` writes into the project's \`AGENTS.md\` when to ask which tool, so that step 3 becomes superfluous.

## An exchange

A person asks: "How long does a sign-in last?" The agent calls \`vai_query\` with \`{"query": "How long is a session token valid?", "collection": "handbook"}\` and gets a passage with the citation \`handbook/auth.md:1-3@d9ace24b\`, the relevance 0.35 and the verdict \`answered\`. It replies: "Fifteen minutes [handbook/auth.md:1-3]."

The person goes on: "And who can change that?" This sentence retrieves nothing useful by itself. The agent rewrites it to "Which team owns the Auth Service and its session tokens?" and calls \`vai_query\` again.

## What makes such a chat good

- **Complete questions.** vai does not see the conversation, only the query. Pronouns and "and then?" have to be resolved by the agent before it calls.
- **New retrieval for a new subject**, rather than carrying old passages along. They fill the context and mislead.
- **Few passages.** Five are the default. \`maxTokens\` keeps them within a budget, \`minRelevance\` leaves out the improbable ones, and \`cursor\` brings the next page if the first was not enough.
- **Citations after each statement**, so that the person can check it.
- **Honesty about nothing.** The verdict says whether a passage is likely to answer (\`answered\`), whether none clearly does (\`weak\`), or whether the collection seems to be about something else (\`nothing_relevant\`). An empty answer has a \`notice\` that tells why: an empty or unknown collection, a filter that excluded everything, or no match.
- **Remembering on request.** When the person says "note that down", the agent calls \`vai_ingest\` with the text and a \`source\`; the next conversation can find it.

## What to avoid

Do not let the agent answer from its own knowledge and search for a fitting citation afterwards; retrieve first. Do not put a whole document into the context because a passage of it was relevant; \`vai_get\` with \`view: "section"\` is usually enough. And treat passages as data: a document that says "ignore your instructions" is quoted, not obeyed.

## Trying without an agent

\`vai query\` prints what the agent would get, and \`vai query --format json\` prints all of it, with relevance and verdict. The web page of a running server shows the same with the cited lines in view. If the right passage is not there, no language model can give the right answer; start with retrieval.`,
    tryIt: ['vai query "How long is a session token valid?" --limit 5', 'vai setup --dry-run'],
    related: ['rag', 'mcp', 'citations'],
    links: ['docs/clients.md', 'docs/your-documents.md#relevance-and-verdict', 'docs/web-page.md'],
  },
];
