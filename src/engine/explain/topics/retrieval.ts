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

The steps are always the same: cut documents into chunks, embed and store them (once); then, for each question, retrieve candidates, rerank them, hand the best few to the model, and cite where each statement came from.

Where it goes wrong, in order of frequency:

1. **The passage was not found.** Look at retrieval first: chunks too large or cut badly, only vectors where words were needed, the wrong collection.
2. **Too much was handed over.** Five good passages beat fifty mixed ones.
3. **No citation.** Without one, nobody can check; vai gives every result a citation that names exact lines.

In vai the agent is the one who writes the answer; vai does everything before it.`,
    tryIt: ['vai ingest docs/ --collection handbook', 'vai query "How does authentication work?"'],
    related: ['two-stage-retrieval', 'chunking', 'citations', 'mcp'],
  },
  {
    name: 'reranking',
    aliases: ['rerank', 'reranker', 'cross-encoder'],
    title: 'Reranking: reading question and passage together',
    summary:
      'A reranker scores each candidate against the question itself, which is slower than vectors and much more precise.',
    content: `A vector of a passage was made before anybody asked; it must serve every possible question. A reranker reads the question and one passage **together** and judges how well this passage answers this question. It sees negation, conditions and which of two similar products is meant.

That costs a model run per candidate, so it is done for the twenty to fifty best of the first search, never for a whole collection. Hosted rerankers are billed for the question once per candidate plus all candidates: twenty passages of 128 tokens and a question of thirty make 3,160 tokens. At high volume this is by far the largest part of the bill (see \`vai estimate\`).

vai reranks in \`vai_query\` and not in \`vai_search\`: with rerank-2.5 when a Voyage key is set, otherwise with its built-in reranker, which combines word and meaning evidence and costs nothing. If the reranker fails or passes its deadline, the first order is returned with \`reranked: false\` and a warning.

Scores of a reranker run from 0 to 1 and compare within one answer.`,
    tryIt: [
      'vai rerank "reset a password" "Password rules" "How to reset your password" "Billing"',
      'vai query "reset a password" --no-rerank',
    ],
    related: ['two-stage-retrieval', 'rerank-eval', 'models'],
  },
  {
    name: 'two-stage-retrieval',
    aliases: ['two-stage', 'twostage'],
    title: 'Two-stage retrieval: wide, then precise',
    summary: 'A fast first stage collects candidates, a careful second stage orders them.',
    content: `No single method is both fast enough for everything and careful enough for the final order. So retrieval is done in two stages.

**First stage: recall.** Words and vectors each propose candidates out of everything stored, in milliseconds. What matters here is that the right passage is somewhere among them; its position does not matter yet.

**Second stage: precision.** A reranker reads the best of those candidates with the question and puts them in order. What matters here is that the right passage comes first.

Consequences for tuning: if the right passage is not among the candidates, no reranker can save it, so improve chunking, add words to vectors, or widen the pool. If it is there but low, rerank. If it is first already, save the time.

\`vai query\` does both stages; \`vai search\` only the first. \`deadlineMs\` bounds the second: when it passes, you get the first stage as it is.`,
    tryIt: ['vai query "how are retries done" --limit 5', 'vai search "how are retries done" --limit 5'],
    related: ['reranking', 'hybrid-search', 'rag'],
  },
  {
    name: 'hybrid-search',
    aliases: ['hybrid', 'fusion', 'bm25', 'words', 'keyword-search', 'rrf', 'lexical'],
    title: 'Hybrid search: words and meaning together',
    summary: 'Words find exact names, vectors find paraphrases; fusing both finds what either alone misses.',
    content: `Search by words (BM25 and its relatives) counts how often the words of the question occur in a passage and how rare they are elsewhere. It finds \`ECONNREFUSED\`, \`useEffect\` and "section 4.2" at once, and it can be trusted: the words are there. It misses everything said in other words.

Search by meaning compares vectors. It finds paraphrases and misses identifiers.

Their mistakes differ, so together they are better than either. The scores cannot simply be added, because one is unbounded and the other a cosine. vai scales each list by itself and adds them with weights that depend on how far the embedding model may be trusted; a passage that both find rises.

Modes of \`vai search\`: \`words\`, \`meaning\`, \`hybrid\`. With a hosted embedder \`meaning\` is the default, with the built-in model \`hybrid\`. Quotation marks ask for a phrase, \`+word\` requires and \`-word\` excludes a word; a query that requires or excludes is searched by words only, since vectors cannot obey.`,
    tryIt: [
      'vai search "connection pool exhausted" --mode hybrid',
      'vai search "+timeout -retry" --mode words',
    ],
    related: ['vector-search', 'two-stage-retrieval', 'knowledge-graphs'],
  },
  {
    name: 'chunking',
    aliases: ['chunk', 'chunks', 'chunk-size', 'overlap', 'splitting'],
    title: 'Chunking: cutting text into pieces that can be found',
    summary:
      'Documents are cut into chunks small enough to be about one thing and large enough to be understood alone.',
    content: `One vector for a whole manual would be about everything and find nothing. Chunks are the unit that is embedded, ranked and quoted. Too small, and a chunk loses what its words refer to; too large, and the one sentence that matters drowns.

\`vai_ingest\` offers five strategies, sizes in characters:

- \`recursive\` (default): cuts at blank lines if that is enough, else at lines, sentences, clauses, words.
- \`markdown\`: one section per chunk; a long section is cut and its heading repeated on each piece.
- \`paragraph\` and \`sentence\`: whole paragraphs or sentences, grouped up to the size.
- \`fixed\`: windows of equal length, for logs and tables.

Overlap repeats the end of one chunk at the start of the next, so that a statement on the border is whole in one of them; it must stay under half the size. Files and documentation use a profile that follows headings, up to 1,500 characters, and keeps code fences whole where they fit.

Rules of thumb: 400 to 800 characters for notes and FAQs, 1,000 to 2,000 for reference documentation. Nothing is ever dropped: every character of the text is in some chunk.`,
    tryIt: [
      'vai ingest README.md --collection notes --chunk-strategy markdown --chunk-size 800',
      'vai collections notes',
    ],
    related: ['embeddings', 'citations', 'ingest'],
  },
  {
    name: 'filters',
    aliases: ['filter', 'pre-filter', 'prefilter', 'metadata-filter', 'metadata'],
    title: 'Filters: searching only where it makes sense',
    summary:
      'A filter limits a search to chunks whose metadata match, before ranking, in a safe subset of MongoDB query syntax.',
    content: `A filter is a small object: \`{"metadata.type": "api-doc"}\` searches only texts ingested with that type. It works inside the search: the best matches **among** the allowed chunks are returned, not the allowed ones among the best.

Paths are \`source\` and \`metadata.<key>\`. Operators: \`$eq\` (or just the value), \`$ne\`, \`$in\`, \`$nin\`, \`$gt\`, \`$gte\`, \`$lt\`, \`$lte\`, \`$exists\`, \`$not\`, and \`$and\`, \`$or\`, \`$nor\` over lists. Nothing else is accepted: no regular expressions, no scripts. A filter may be five levels deep, with 50 conditions and 8 KB.

The meaning is the same on every store. A missing field counts as null, so \`$ne\` and \`$nin\` match it and \`$exists: false\` finds it. Values are compared with their own type: \`"2024"\` is not \`2024\`. Dates are best stored as ISO texts (\`2026-02-11\`), which sort correctly.

MongoDB Atlas filters only on paths that its vector index declares. The index vai creates declares source, type, file name, model, document and chunk position; add your own with \`filterFields\` in \`.vai.json\`.`,
    tryIt: [`vai search "error handling" --filter '{"metadata.type": "api-doc"}'`],
    related: ['vector-search', 'ingest'],
  },
  {
    name: 'citations',
    aliases: ['citation', 'cite', 'sources', 'provenance'],
    title: 'Citations: exact lines that can be checked',
    summary:
      'Every result names its collection, path and lines, pinned to the text it quoted, and every toolset can open it.',
    content: `A citation looks like \`handbook/auth/overview.md:12-30@9f3c1a27\`: collection, path, first and last line, and the beginning of the SHA-256 of the text as it was. A collection that is a single file has no path: \`bun:304-324\`.

It is more than a label:

- \`vai get <citation>\` and all three toolsets open it and return exactly those lines.
- The part after \`@\` pins the text. If the document changed since, vai can tell whether the lines are the same, moved, changed or gone.
- A person can check a statement in seconds, which is the reason to cite at all.

Agents do best when they put the citation directly after the sentence it supports and quote only what the lines say. The hash may be left out when writing for people; line numbers then refer to the text as it is now.`,
    tryIt: ['vai search "refresh tokens" --limit 3', 'vai get handbook/auth.md:1-10'],
    related: ['rag', 'chunking', 'llms-txt'],
  },
  {
    name: 'knowledge-graphs',
    aliases: ['knowledge-graph', 'graph', 'graphrag', 'flowrag', 'entities', 'relations', 'lightrag'],
    title: 'Knowledge graphs: how things relate',
    summary:
      'Entities and typed relations taken from the text answer questions that no single passage answers.',
    content: `Some questions are about connections: what breaks if this service stops, how does data get from the shop to the report, who owns what this team depends on. The answer is spread over many documents, and no passage resembles the question.

A knowledge graph keeps **entities** (a service, a database, a team) and **relations** between them (USES, PRODUCES, OWNS), each with its evidence: the chunks and lines that say so. Walking the relations answers such questions exactly and can be checked line by line.

In vai, \`flowrag_index\` reads a folder and extracts both. Without a key a set of rules does it, from headings, links, diagrams and plain sentences; with Gemini or Bedrock a language model does it, within the schema you give. Then \`flowrag_trace\` follows the flow up or down from one entity, \`flowrag_path\` finds the shortest connection between two, and \`flowrag_search\` combines relations with words and meaning.

Entity and relation types are yours to choose; few and clear ones work best.`,
    tryIt: ['flowrag-mcp --help', 'vai explain hybrid-search'],
    related: ['hybrid-search', 'rag', 'citations'],
  },
  {
    name: 'rerank-eval',
    aliases: ['ndcg', 'reranking-eval', 'mrr', 'eval-rerank', 'recall', 'evaluation'],
    title: 'Measuring retrieval: recall, MRR and NDCG',
    summary:
      'Three numbers say how good a search is: whether the right passage is found, how early, and how well the whole list is ordered.',
    content: `To know whether a change helped, write down questions with the passages that answer them (thirty are a start, a hundred are good) and compute:

- **Recall@k**: the share of relevant passages among the first k. The measure of the first stage, with a large k.
- **MRR** (mean reciprocal rank): the mean of 1/rank of the first relevant passage. 1.0 means always first, 0.5 means typically second. Good when one passage suffices.
- **NDCG@k**: each relevant passage earns its grade divided by log2(rank + 1); the sum is divided by that of the ideal order. It uses degrees of relevance and punishes good passages far down. 1.0 is perfect.

Compare two systems on the **same** questions and look at each question that changed, not only at the mean: with thirty questions a difference of 0.02 is chance. Measure the first stage and the reranked list separately, because they fail for different reasons (see two-stage-retrieval).

Never tune on the questions you report.`,
    tryIt: ['vai query "how are sessions stored" --json', 'vai search "how are sessions stored" --json'],
    related: ['reranking', 'two-stage-retrieval', 'eval-comparison', 'rteb-benchmarks'],
  },
  {
    name: 'eval-comparison',
    aliases: ['compare', 'eval-compare', 'baseline', 'save-results', 'a-b-test', 'regression'],
    title: 'Comparing two set-ups fairly',
    summary: 'Keep the questions fixed, change one thing, save both outputs, and look at what moved.',
    content: `A fair comparison changes one thing at a time: the model, the chunk size, the reranker, the mode. Everything else, above all the questions, stays.

1. Ingest the same sources into two collections, one per variant.
2. Run the same questions against both and save the JSON.
3. Compute recall, MRR or NDCG for both (see rerank-eval), and list the questions whose rank changed by more than a few places.
4. Read those. One bad chunk border that loses five questions tells you more than the mean.

Keep the saved output of the better variant as the baseline. When you upgrade a model or change documents, run the questions again; a drop is a regression you find before your users do.

Answers of vai are deterministic for the same store, model and question, so a difference is a real one. Hosted models may change slightly over time: keep the model's name with the results.`,
    tryIt: ['vai search "rate limits" --json', 'vai search "rate limits" --mode words --json'],
    related: ['rerank-eval', 'benchmarking', 'models'],
  },
];
