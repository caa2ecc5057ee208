// Explanations: finding, ranking and using what was found.

import type { Topic } from '../topic.ts';

export const RETRIEVAL: readonly Topic[] = [
  {
    name: 'rag',
    aliases: ['retrieval-augmented-generation', 'grounding'],
    title: 'RAG: answers from your own documents',
    summary:
      'Retrieval-augmented generation looks up relevant passages first and lets the language model answer from them.',
    content: `A language model knows what it was trained on, not what your team wrote last week. Retrieval-augmented generation closes that gap without training: find the passages that matter, put them in front of the model together with the question, and ask for an answer that rests on them.

## The steps

Once per document: read it, divide it into chunks, embed the chunks, store everything. In vai that is one command, \`vai ingest\`.

For each question:

1. **Retrieve** candidates by words and by meaning, and by relations where they help.
2. **Rerank** them, so that the passages that answer come first.
3. **Hand over** the best few, with where each comes from.
4. **Answer** from them, and cite.

vai does the first three with \`vai query\` on the command line or \`vai_query\` for an agent. The fourth is the agent's work: vai itself writes no answers and calls no language model for search.

## An example

A file says "Session tokens are valid for fifteen minutes." An agent is asked how long somebody stays signed in. It calls \`vai_query\` with the question, gets that passage with the citation \`handbook/auth.md:1-3@d9ace24b\` and the verdict \`answered\`, and replies: "Fifteen minutes (handbook/auth.md:1-3)". Anyone can open the lines with \`vai get\` or \`vai_get\` and check.

## Where it goes wrong

In order of frequency:

1. **The passage was not found.** Look at retrieval before you blame the model. Is the document in the collection at all (\`vai collections\`)? Does \`vai search\` find it when you use its own words? If so, the question's words differ too much: try the hybrid mode, a better embedding model, or smaller chunks.
2. **There was nothing to find.** A search always returns the nearest passages. The verdict \`nothing_relevant\` tells the agent that the collection is about something else; it should then say so instead of answering from unrelated text.
3. **Too much was handed over.** Five good passages beat fifty mixed ones. \`limit\`, \`minRelevance\` and \`maxTokens\` keep the answer small; \`cursor\` leads to more if the first page was not enough.
4. **The text was out of date.** \`vai ingest docs/ --sync\` replaces changed files and removes those that are gone; \`vai watch\` keeps a project's folders in step.
5. **No citation.** Without one nobody can check, and errors stay in circulation.

## When RAG is the wrong tool

For a single short file, give the agent the whole file. For questions over everything at once ("summarise all incidents of the year") retrieval of five passages cannot be complete; list the documents with \`vai_get\` and read them in turn. For questions about connections between many things, use the knowledge graph.

Retrieved text is data. A document may contain sentences that look like instructions; vai marks all quoted text as untrusted, and an agent should never act on it.`,
    tryIt: ['vai ingest docs/ --collection handbook', 'vai query "How long does a session last?" --limit 5'],
    related: ['two-stage-retrieval', 'chunking', 'citations', 'mcp'],
    links: ['docs/quick-start.md', 'docs/your-documents.md', 'docs/evaluation.md'],
  },
  {
    name: 'reranking',
    aliases: ['rerank', 'reranker', 'cross-encoder'],
    title: 'Reranking: reading question and passage together',
    summary:
      'A reranker scores each candidate against the question itself, which is slower than vectors and more precise.',
    content: `The vector of a passage was made before anybody asked; it has to serve every possible question. A reranker looks at the question and one passage **together** and judges how well this passage answers this question.

Hosted rerankers such as rerank-2.5 are transformers that read both texts word by word (cross-encoders). They notice negation, conditions, and which of two similar products is meant. The built-in \`builtin-rerank-1\` is much smaller: a few tiny networks over thirteen features such as which words match and how rare they are, whether they stand close together or in a heading, and how near the meanings are. It costs nothing and takes milliseconds.

## Where vai reranks

- \`vai_query\` and \`vai query\` rerank unless told not to (\`rerank: false\`, \`--no-rerank\`).
- \`vai_search\` does not; the command \`vai search\` does it with \`--rerank\`.
- \`vai_rerank\` and \`vai rerank\` order texts you already have, for example passages of several collections or of another system.

The model is rerank-2.5 where a Voyage key is set and \`builtin-rerank-1\` otherwise. \`--rerank-model\` names another for one query, and \`vai config set rerank-model\` changes the default; a model behind an OpenAI-compatible endpoint that serves \`/rerank\` works too.

## An example

\`\`\`bash
vai rerank "reset a password" "Password rules" "How to reset your password" "Billing"
\`\`\`

prints the second text first (about 0.37), then the first (0.12), then "Billing" (0.04). All three scores are low in absolute terms and the order is right: these scores order one list. Use \`relevance\` in search answers when you need a number that means the same everywhere.

## What it gains and costs

On the judged sets of our benchmark, without any key, reranking raises the mean nDCG@10 above that of hybrid search. A hosted reranker usually gains more.

Every candidate is read with the question, so the work grows with the number of candidates. vai reranks at most 50, never a whole collection. Hosted rerankers are billed for the question once per candidate plus all candidates: twenty passages of 128 tokens and a question of thirty make 3,160 tokens. At a million queries a month that is $158 with rerank-2.5 and $63.20 with rerank-2.5-lite, far more than the embeddings of the same queries. \`vai estimate\` prints it for your volume.

## When it fails

If the reranker does not answer or passes its deadline (20 seconds, or \`deadlineMs\`), you get the first-stage order with \`reranked: false\` and a warning. A search never fails because of its reranker.

Reranking cannot add what the first stage did not find. If the right passage is not among the candidates, improve chunking, use hybrid search, or widen the question.

Switch it off when the order does not matter: collecting everything on a subject, counting, or feeding candidates into another ranker.`,
    tryIt: [
      'vai rerank "reset a password" "Password rules" "How to reset your password" "Billing"',
      'vai query "reset a password" --no-rerank',
    ],
    related: ['two-stage-retrieval', 'rerank-eval', 'models'],
    links: ['docs/model-card.md', 'docs/models-and-costs.md#what-will-it-cost', 'docs/evaluation.md#figures'],
  },
  {
    name: 'two-stage-retrieval',
    aliases: ['two-stage', 'twostage'],
    title: 'Two-stage retrieval: wide, then precise',
    summary: 'A fast first stage collects candidates, a careful second stage orders them.',
    content: `No single method is both fast enough to look at everything and careful enough for the final order. So retrieval is done in two stages.

**First stage: recall.** Words and vectors each propose candidates out of everything stored, in milliseconds. What matters is that the right passage is somewhere among them; its exact position does not matter yet.

**Second stage: precision.** A reranker looks at the best candidates together with the question and puts them in order. What matters is that the right passage comes first.

## The stages in vai

| | first stage | second stage |
|---|---|---|
| looks at | everything in the collections | at most 50 candidates |
| uses | word statistics, vectors, names and links | question and passage together |
| by | the store | builtin-rerank-1, rerank-2.5 or another |
| command | \`vai search\` | \`vai query\` runs both |
| tool | \`vai_search\` | \`vai_query\` runs both |

After the second stage vai does three more things: it joins neighbouring passages of one section, leaves out lines that a better hit has already shown, and estimates for each hit how likely it answers (\`relevance\`). From the best of these comes the verdict of the whole answer.

## Finding out which stage to improve

Take a question whose answer you know and run both commands below.

- **The passage is not in the wide list.** No reranker can save it. Try \`--mode words\` with the document's own words: if it appears, the embedding misses it; if not, it may not be ingested, or its chunk is so large that the sentence drowns. Remedies: smaller chunks, hybrid mode, a stronger embedding model.
- **It is in the wide list, but low, and high after reranking.** Everything works as intended.
- **It is in the wide list, and low after reranking too.** Read what stands above it. Often two documents say nearly the same and the older one wins; remove or filter it.
- **It is first already in the wide list.** Reranking adds nothing for this kind of question; \`vai_search\` is faster and, with hosted models, cheaper.

One question is an anecdote. \`vai eval\` does this for a whole set of questions and prints for each mode the nDCG@10, the recall and the time.

## Time and money

The first stage costs one embedding of a short question. The second costs as much as reading all candidates. With hosted models that makes it the larger part of both delay and bill.

\`deadlineMs\` (\`--deadline\`) bounds the second stage: when the time has passed, the answer is the first stage as it is, marked \`reranked: false\`. If the embedder itself is slow, an answer by words alone is returned rather than none. An agent that needs several lookups per turn can set a short deadline for the exploratory ones.

A third stage is the agent: it reads the five passages and decides what to use. Give it few and good ones, and let it ask for the next page with \`cursor\` when it needs more.`,
    tryIt: ['vai search "how are retries done" --limit 50', 'vai query "how are retries done" --limit 5'],
    related: ['reranking', 'hybrid-search', 'rag', 'rerank-eval'],
    links: ['docs/your-documents.md#searching', 'docs/evaluation.md#your-own-collection'],
  },
  {
    name: 'hybrid-search',
    aliases: ['hybrid', 'fusion', 'bm25', 'words', 'keyword-search', 'rrf', 'lexical'],
    title: 'Hybrid search: words and meaning together',
    summary: 'Words find exact names, vectors find paraphrases; fusing both finds what either alone misses.',
    content: `Search by words counts how often the words of the question occur in a passage and how rare they are elsewhere; BM25 is the usual formula. It finds \`ECONNREFUSED\`, \`useEffect\` and "section 4.2" at once, and its hits can be trusted: the words are there. It misses everything that is said in other words.

Search by meaning compares vectors. It finds paraphrases and overlooks identifiers. The mistakes of the two differ, so together they are better than either. The evaluation page has the figures of each on our judged sets.

## How two lists become one

The scores cannot simply be added, because BM25 is unbounded and a cosine lies between −1 and 1. There are two common ways out. Reciprocal rank fusion (RRF) looks only at positions: a passage at rank r earns 1 / (60 + r) in each list. It needs no tuning, but it forgets whether the first hit was far ahead or barely so. vai instead scales the scores of each list and adds them with weights that depend on how far the embedding model may be trusted. A passage that both methods find rises.

## The modes

| mode | what it does |
|---|---|
| \`words\` | words only, with operators |
| \`meaning\` | vectors only |
| \`hybrid\` | both |
| \`relations\` | passages connected by names and links with what was asked |
| \`graph\` | hybrid, plus relations where they help |

\`vai search\` on the command line takes all five and defaults to \`hybrid\`. The tool \`vai_search\` takes the first three; without a mode it uses \`meaning\` where a hosted embedder is configured and \`hybrid\` otherwise. \`find\` of the documentation toolset works by words alone, which is why it answers in milliseconds.

## Operators

In mode \`words\` a query may contain

- \`"connection pool"\`: the phrase;
- \`+timeout\`: this word must be there;
- \`-retry\`: this word must not;
- \`time*\`: words that begin like this;
- \`title:install\` and \`heading:proxy\`: the word in the title or in a heading.

Vectors cannot obey such rules: the vector of "not about retries" lies close to "about retries". A query that requires or excludes words is therefore searched by words only, with the notice \`words_only\`; in the mode \`meaning\` the operators are ignored, and a notice says so.

## Choosing

Leave the default until you have a reason. Use \`words\` for identifiers, error messages and quotations, \`meaning\` to explore a subject whose vocabulary you do not know, and \`graph\` for questions that need two pages ("which team owns the service that writes this table?"). If you know real questions with their answers, \`vai eval handbook --questions questions.jsonl\` says which mode serves that collection best.

An index of words alone is possible too: \`vai ingest docs/ --no-vectors\` embeds nothing, and such a collection is searched by words.`,
    tryIt: [
      'vai search "connection pool exhausted" --mode hybrid',
      'vai search "+timeout -retry" --mode words',
    ],
    related: ['vector-search', 'two-stage-retrieval', 'knowledge-graphs'],
    links: ['docs/your-documents.md#searching', 'docs/evaluation.md#figures'],
  },
  {
    name: 'chunking',
    aliases: ['chunk', 'chunks', 'chunk-size', 'overlap', 'splitting', 'tokens', 'token', 'truncation'],
    title: 'Chunking: pieces that can be found and understood',
    summary:
      'Documents are divided into chunks small enough to be about one thing and large enough to be understood alone.',
    content: `One vector for a whole manual would be about everything and find nothing. A chunk is the unit that is embedded, ranked and quoted. If it is too small, it loses what its words refer to; if it is too large, the one sentence that matters drowns in the rest.

## What vai does by default

**Files and folders** are divided at their headings, up to 1,500 characters per chunk, with code fences kept whole where they fit. Source code is divided at its definitions: a function or class with its comment is one chunk if it fits. This profile is called \`blocks\`.

**Texts** from standard input or from \`vai_ingest\` are divided by \`recursive\`, at 512 characters with an overlap of 50.

Each chunk knows the headings above it. They are embedded with it, so a section called "Limits" under "Uploads" is found by "upload limits" although the section never says "upload".

## The strategies you can choose

| strategy | divides at |
|---|---|
| \`recursive\` | blank lines; where that is not enough, lines, sentences, clauses, words |
| \`markdown\` | sections; a long one is divided and its heading repeated on each piece |
| \`paragraph\` | blank lines, whole paragraphs grouped up to the size |
| \`sentence\` | ends of sentences, grouped up to the size |
| \`fixed\` | every so many characters, for logs and tables |

Sizes are in characters, from 100 to 8,000. As a rule of thumb four characters of English are a token, so 512 characters are about 128 tokens.

**Overlap** repeats the end of one chunk at the start of the next, so that a statement on the border is whole in one of them. It is set with \`chunk\` in the config. Strategies that follow the structure of a text need less of it than \`fixed\`.

## Which setting counts

The first of these that says something: the call itself; what the document was stored with before; the profile stated for the collection (ingesting a folder with \`--chunk-strategy\` or \`--chunk-size\` states it); the default. So a note with a size of its own never changes how a folder is divided.

## Choosing a size

- Notes, FAQs, tickets: 400 to 800 characters. Each is about one thing anyway.
- Reference documentation: 1,000 to 2,000, with \`markdown\` or the default.
- Long prose without headings: \`paragraph\`, about 1,000.
- Logs: \`fixed\`.

Then measure with \`vai eval\`: differences between sizes are often larger than those between models. With \`VAI_EXTRA_TOOLS=1\` an agent can call \`vai_chunk\`, which shows how a text would be divided without storing it.

A small chunk is no disadvantage to the reader: neighbouring hits of a section are joined in the answer, and \`vai get handbook/auth.md:5-7 --context section\` opens the section around any citation. Nothing is dropped either: every character of a text is in some chunk, and a text that is too long for the embedding model is an error rather than silently shortened.`,
    tryIt: [
      'vai ingest README.md --collection notes --chunk-strategy markdown --chunk-size 800',
      'vai collections',
    ],
    related: ['embeddings', 'citations', 'ingest', 'eval-comparison'],
    links: ['docs/your-documents.md#chunking', 'docs/reference.md#vai_ingest'],
  },
  {
    name: 'filters',
    aliases: ['filter', 'pre-filter', 'prefilter', 'metadata-filter', 'metadata'],
    title: 'Filters: searching only where it makes sense',
    summary:
      'A filter limits a search to chunks whose metadata match, before ranking, in a safe subset of MongoDB query syntax.',
    content: `A filter is a small JSON object: \`{"metadata.type": "meeting-notes"}\` searches only texts that were stored with that type. It works inside the search. The best matches **among** the allowed chunks are returned, not the allowed ones among the best, so a narrow filter does not empty the list.

## Where metadata come from

- Front matter of Markdown files: \`type: meeting-notes\` between the \`---\` lines becomes \`metadata.type\`.
- The argument \`metadata\` of \`vai_ingest\`, any JSON object up to 16 KB.
- vai itself: \`source\`, and for chunks their position and when they were ingested.

Hits show their metadata under the same names, so what you see in an answer is what you can filter by.

## Operators

| operator | meaning |
|---|---|
| a value, \`$eq\`, \`$ne\` | equal, not equal |
| \`$gt\`, \`$gte\`, \`$lt\`, \`$lte\` | order |
| \`$in\`, \`$nin\` | one of a list, none of it |
| \`$startsWith\` | of \`source\` only: begins with a text, so \`{"source": {"$startsWith": "adr/"}}\` is a folder |
| \`$exists\` | whether the field is there |
| \`$and\`, \`$or\`, \`$nor\` | over a list of filters |
| \`$not\` | the opposite of a condition |

Nothing else is accepted: no regular expressions and no scripts. A filter may be five levels deep and hold fifty conditions.

An example: decisions and meeting notes of this year that are not drafts.

\`\`\`json
{"metadata.type": {"$in": ["decision", "meeting-notes"]}, "metadata.date": {"$gte": "2026-01-01"}, "metadata.draft": {"$ne": true}}
\`\`\`

Several paths in one object must all match.

## What surprises people

- **A missing field counts as null.** \`$ne\` and \`$nin\` therefore match documents that do not have the field at all; \`{"$exists": false}\` finds exactly those.
- **Values keep their type.** The text \`"2024"\` is not the number \`2024\`.
- **Dates are best stored as ISO texts** such as \`2026-02-11\`. They sort correctly as text.
- **Nothing passes.** If a filter excludes everything, the answer is empty with the notice \`filter_excluded_all\`, which is different from \`no_match\`. Usually a path is misspelt: it is \`metadata.type\`, not \`type\`.

## Filters or collections?

Use a collection for what is searched separately: another product, another confidentiality, another embedding model. Keys for a server can be limited to collections, not to filters. Use metadata for everything that cuts across: kind of text, date, team, status.

## On MongoDB Atlas

The meaning of a filter is the same on every store. Atlas filters by meaning only on paths that its vector index declares. vai declares \`source\` and the usual fields of \`metadata\`; add your own with \`vai index create handbook --filter-field metadata.team\` or \`filterFields\` in \`.vai.json\`. A path that is not declared still works while at most 2,000 chunks pass it; beyond that the error lists the declared paths. Filters in searches by words may name any path.`,
    tryIt: [
      `vai search "error handling" --filter '{"metadata.type": "api-doc"}'`,
      `vai query "who owns the tokens" --filter '{"metadata.date": {"$gte": "2026-01-01"}}'`,
    ],
    related: ['vector-search', 'ingest', 'hybrid-search'],
    links: ['docs/your-documents.md#filters', 'docs/mongodb-atlas.md#search-indexes'],
  },
  {
    name: 'citations',
    aliases: ['citation', 'cite', 'sources', 'provenance'],
    title: 'Citations: exact lines that can be checked',
    summary:
      'Every result names its collection, path and lines, pinned to the text it quoted, and every toolset can open it.',
    content: `A citation looks like \`handbook/auth/overview.md:12-30@9f3c1a27\`. Its parts are the collection, the path within it, the first and last line, and after the \`@\` the beginning of the SHA-256 of the text as it was. A collection that consists of a single text has no path: \`bun:304-324\`.

## What it is good for

- **Opening.** \`vai get\` and the tool \`vai_get\` return exactly those lines; so does \`find\` with \`snippets\`. All toolsets understand the same citations.
- **Widening.** \`--context section\` adds the section around the lines, a number adds so many lines, and \`all\` gives the whole top section. \`vai_get\` has \`view\` for the same: lines, section, document or outline.
- **Checking.** A person can compare a statement with its source in seconds, which is the reason to cite at all.
- **Noticing changes.** The hash pins what was quoted. When the document has changed since, vai says whether the lines are the same, have moved (and where to), have changed or are gone.

Line numbers are those of the file on disk. For PDF and DOCX they count the lines of the extracted text, and a hit in a PDF also names its page. Sources fetched from a website or from GitHub carry \`pageUrl\`, an address a person can click: the page, or the file at the commit that was read.

## An example

\`vai search "session token" --collection handbook\` prints a hit as

\`\`\`text
1. handbook/auth.md:1-3  relevance 0.42
\`\`\`

followed by its headings and lines. \`vai get handbook/auth.md:1-3 --context section\` prints the section. \`vai get handbook/auth.md\` without lines prints the whole document, and the tool \`vai_get\` with the target \`handbook\` lists the documents of the collection.

In the JSON of the same search the citation has its hash. Keep it when a program stores the citation, for example in a ticket; leave it out when you write for people. Without the hash the lines refer to the text as it is now.

## Advice for agents

1. Put the citation directly after the sentence it supports, not in a list at the end.
2. Cite the lines you used. If a hit covers twenty lines and you used two, open it and cite the two.
3. State nothing that the lines do not say. Where you combine two sources, cite both.
4. If the verdict is \`weak\` or \`nothing_relevant\`, say so before you quote.
5. Never invent a citation. An unknown path or a line range beyond the end is an error, so a made-up one is found out by opening it.

## Citations in the graph

Entities and relations carry citations too. Every relation that \`flowrag_relations\` returns names the lines that state it, and \`flowrag_contribute\` accepts a new statement only with a citation whose lines name both ends.

Citations respect access. A key limited to some collections gets the same "not found" for a hidden collection as for one that does not exist.`,
    tryIt: ['vai search "session token" --limit 3', 'vai get handbook/auth.md:1-10 --context section'],
    related: ['rag', 'chunking', 'llms-txt', 'knowledge-graphs'],
    links: ['docs/your-documents.md#citations', 'docs/reference.md#vai_get'],
  },
  {
    name: 'knowledge-graphs',
    aliases: ['knowledge-graph', 'graph', 'graphrag', 'flowrag', 'entities', 'relations', 'lightrag'],
    title: 'Knowledge graphs: how things relate',
    summary:
      'Entities and typed relations taken from the text answer questions that no single passage answers.',
    content: `Some questions are about connections: what breaks if this service stops, how does data get from the shop to the report, who owns what this team depends on. The answer is spread over many documents, and no single passage resembles the question.

A knowledge graph keeps **entities** (a service, a database, a team) and **relations** between them (USES, PRODUCES, OWNS), each with its evidence: the lines that say so. Following the relations answers such questions, and every step can be checked.

## Two layers in vai

The **mention index** knows which chunk holds which name, identifier or link. It has no types, exists for every collection, and is what search by relations walks over.

The **typed graph** holds entities and relations of a schema. \`vai graph build handbook\` makes it for any ingested collection; \`flowrag_index\` makes it for a folder and keeps it in step with later edits.

By default rules extract both, with no key and no model. They read sentences, lists, tables, Mermaid and other drawings, docker-compose and Kubernetes files, manifests and the imports and calls of source code in 21 languages. A language model (Gemini, Bedrock, an OpenAI-compatible endpoint or Ollama) can do it instead, within your schema; it finds more, and hosted ones cost money.

## An example

From a page that says "Auth Service uses Redis and depends on Vault" and "The Identity Team owns Auth Service", the commands below print three relations of Auth Service, each with its line: it USES Redis, it DEPENDS_ON Vault, and the Identity Team OWNS it.

## Asking

| question | tool |
|---|---|
| what is there? | \`flowrag_entities\` |
| what is connected with X? | \`flowrag_relations\` |
| what does X need, who needs X, what fails with it? | \`flowrag_trace\` with \`downstream\`, \`upstream\`, \`impact\` |
| how are X and Y connected? | \`flowrag_path\` |
| which passages speak of it? | \`flowrag_search\` |

## How far to trust it

Measured on public documentation annotated by hand, the rules find most entities but only about half of the relations, and most of the relations they find are right. Tables and drawings are read better than prose. So an absent relation proves nothing, and a present one should be checked at its lines. Each has a \`confidence\`; \`minConfidence: 0.85\` leaves the surest.

An agent can add what the rules missed: \`flowrag_contribute\` takes statements with citations and checks that the lines name both ends. The prompt \`complete-graph\` leads it to the passages where most is missing. Such statements are marked as the agent's and disappear when their lines change.

## Advice

Choose few and clear types in \`flowrag.config.json\`. Name things the same way in all documents, or state aliases there. Draw a diagram where you can: relations in drawings are found almost completely.

For search alone no graph has to be built. Mode \`graph\` uses the mention index, and finds more for questions whose answer is spread over two pages.`,
    tryIt: ['vai graph build handbook', 'vai graph show "Auth Service"', 'vai graph export --format mermaid'],
    related: ['hybrid-search', 'rag', 'citations'],
    links: [
      'docs/graph.md#how-good-it-is',
      'docs/graph.md#letting-the-agent-complete-it',
      'docs/decisions/graph-retrieval.md',
    ],
  },
];
