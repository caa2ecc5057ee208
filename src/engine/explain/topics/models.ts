// Explanations: the models, where they run and how they compare.

import type { Topic } from '../topic.ts';

export const MODELS: readonly Topic[] = [
  {
    name: 'models',
    aliases: ['model', 'voyage', 'voyage-4', 'voyage-4-large', 'voyage-4-lite', 'cost', 'costs', 'prices'],
    title: 'Models: which one for what',
    summary:
      'Embedding models make vectors, rerankers order candidates; pick by quality, price and where the text may go.',
    content: `vai uses two kinds of models. An **embedding model** turns texts into vectors that can be compared. A **reranker** reads a question with its candidates and puts them in order. Neither writes text; answers are written by your agent.

## Without and with a key

| | without a Voyage key | with \`VOYAGE_API_KEY\` |
|---|---|---|
| embedding | builtin-embed-1, 256 dimensions | voyage-4-large, 1024 dimensions |
| reranking | builtin-rerank-1 | rerank-2.5 |

The built-in models run on this machine and cost nothing. Together with search by words they are good enough to start with, and for many collections good enough to stay with.

## A short guide to the hosted ones

Prices are US dollars per million tokens as published in January 2026; check them before you rely on them.

| model | price | for |
|---|--:|---|
| voyage-4-large | 0.12 | best quality; documents, which are embedded once |
| voyage-4 | 0.06 | near-best at half the price |
| voyage-4-lite | 0.02 | queries, in the same space as the two above |
| voyage-code-3 | 0.18 | source code |
| voyage-finance-2, voyage-law-2 | 0.12 | their fields |
| voyage-multimodal-3.5 | 0.12 | pages that mix text and pictures (vai sends their text) |
| rerank-2.5 | 0.05 | precise reranking |
| rerank-2.5-lite | 0.02 | faster reranking |

Gemini, Amazon Bedrock, any OpenAI-compatible endpoint, Ollama and a local transformer can be used as well; the topic on provider comparison has the details.

## Which model a call uses

The first of these that says something: the argument of the call (\`model\`, \`--model\`); \`model\` in the project's \`.vai.json\`, if you trust the project; \`default-model\` in the config; the model the collection was made with; the default of the table above. A configured model is used for a query only where it shares the collection's space. Every answer names the model it used.

A collection keeps the model of its first text. A later text or a query with a model of another space is refused with \`MODEL_MISMATCH\`. To change the model, ingest the sources into a new collection.

## An example

A handbook, embedded with the best model and queried with the cheapest of the same space:

\`\`\`bash
vai ingest docs/ --collection handbook --model voyage-4-large --max-cost 0.50
vai query "How does authentication work?" --collection handbook --model voyage-4-lite
\`\`\`

The first command stops before it has spent more than half a dollar.

## Models vai does not know

\`vai config set models models.json\` names a file with entries of your own: new models, or other prices for known ones. They appear in \`vai models\` and in estimates. A name that is in no list is sent to the provider as it is, with a warning. A reranker named where an embedding model is expected is an error that says so.

An agent sees the same catalogue through \`vai_models\`, with dimensions, context, price, shared space and benchmark figures.`,
    tryIt: ['vai models', 'vai models --category rerank'],
    related: ['builtin-models', 'shared-embedding-space', 'benchmarking', 'api-keys'],
    links: ['docs/models-and-costs.md#the-catalogue', 'docs/models-and-costs.md#your-own-entries'],
  },
  {
    name: 'builtin-models',
    aliases: ['builtin', 'builtin-embed-1', 'builtin-rerank-1', 'static-embeddings', 'no-key'],
    title: 'The built-in models: search without a key',
    summary:
      'A small static embedding model and a reranker ship inside vai; they need no key, no network and no download.',
    content: `vai answers the first question by meaning as well as by words, on any machine, because it brings two small models of its own. They are used whenever no hosted model is configured.

## builtin-embed-1

It is a *static* embedding: each of 54,000 word pieces has one trained vector, and the vector of a text is the weighted sum of its pieces, scaled to length one. There is no neural network to run through, so one core embeds over 100,000 short chunks a second. Words that are in no vocabulary, such as your own identifiers, get hashed rows, so that they at least match themselves. It makes 256 dimensions, or 128 or 64 on request, and its file has 15.5 MB.

What it cannot do follows from how it works:

- **Word order, negation and numbers are mostly lost.** "dog bites man" is nearly the same as "man bites dog", and "without a key" is a neighbour of "with a key".
- **It knows English only.** Texts in other languages match by identical words.
- **It knows technical documentation best**, then the life sciences and what textbooks teach.

That is why vai pairs it with search by words. On our judged sets, words alone rank better on average than meaning alone, and both together rank best.

## builtin-rerank-1

The reranker consists of small networks over features of question and candidate: which words match and how rare they are, whether they stand close together or in a heading, how near the meanings are. It reorders the first 20 candidates, 50 of source code, in a few milliseconds and lifts the mean further, with relations where they help.

A third small network estimates \`relevance\`, the probability that a passage answers, from which the verdict of an answer comes. It is used with hosted models too, because their scores could not be calibrated; \`metadata.relevanceFrom\` says what an estimate rests on.

## An example

\`\`\`bash
vai rerank "cats" "a page about dogs" "a page about cats" --model builtin-rerank-1
\`\`\`

puts the page about cats first. Naming the model makes sure of it even where a key is set.

## What leaves the machine

Nothing. There is no download on first use, no telemetry and no update check. Documents, questions and vectors stay in the store you chose.

## Outgrowing them

Signs are questions in everyday language that share no word with the documents, documents in other languages, and a verdict of \`weak\` where you know the answer is there. Then set a key or run a model of your own, and ingest the sources into a new collection: vectors of different models cannot be mixed. Compare both with \`vai eval\` before you delete the old one.

## New revisions

A new version of vai may bring a better embedding. Its name stays and its revision counts up. A collection embedded by an earlier revision is searched by words, with the notice \`stale_vectors\`, until its files are ingested again; that run makes all vectors anew and costs only processor time.

The model card says what the models were trained on, how choices were made, and where they are weak.`,
    tryIt: [
      'vai embed "hello" --model builtin-embed-1',
      'vai rerank "cats" "a page about dogs" "a page about cats" --model builtin-rerank-1',
    ],
    related: ['models', 'hybrid-search', 'local-inference'],
    links: ['docs/model-card.md', 'docs/model-card.md#limits-and-bias', 'docs/evaluation.md#figures'],
  },
  {
    name: 'mixture-of-experts',
    aliases: ['moe', 'moe-architecture', 'experts', 'sparse'],
    title: 'Mixture of experts: large models that run small',
    summary:
      'A router sends each token through a few of many expert layers, so capacity grows without the cost growing with it.',
    content: `In an ordinary (dense) transformer every token passes through every weight. In a mixture-of-experts model the feed-forward layers are replaced by many parallel ones, the experts, and a small router picks a few of them for each token. The model holds the knowledge of all experts but computes with only the chosen ones; such models are called sparse.

## A calculation

Suppose a layer has 16 experts and the router uses 2 of them per token. The layer then stores 16 experts' worth of weights but does the arithmetic of 2, an eighth. Attention and the other parts of the model are shared and always run, so the saving over a whole model is smaller than an eighth suggests. The numbers are an illustration; the vendor has not published those of voyage-4-large.

## How routing works

For each token the router computes one score per expert, keeps the highest few, and mixes the outputs of those experts in proportion to their scores. It is trained together with everything else. Left alone, it would soon send everything to the same few experts, which then learn fastest and attract still more tokens; an extra term in the training objective rewards even use.

Experts do not correspond to subjects such as law or chemistry. What they specialise in is learned and usually hard to name: kinds of tokens, syntactic positions, scripts.

## Advantages and price

- **Quality for computation.** At equal cost per token, a sparse model has more capacity than a dense one.
- **Memory.** All experts have to be loaded, whether they are used or not. That matters to whoever runs the model, and is why sparse models are mostly hosted.
- **Training** is more delicate, because of the router.
- **Batching.** Tokens of one batch go to different experts, so small batches use the hardware badly. Again a concern of the provider, not yours.

## In the voyage-4 family

voyage-4-large is built this way; voyage-4, voyage-4-lite and voyage-4-nano are dense. \`vai models\` says so in \`architecture\`: \`moe\` or \`dense\`.

For you as a user nothing changes. The vectors have the same dimensions and lie in the same shared space, so documents embedded by the sparse model can be queried with a dense one. A usual arrangement is voyage-4-large for documents, where its quality is paid for once, and voyage-4-lite for queries, where it would be paid for with each question:

\`\`\`bash
vai query "how are tokens renewed" --model voyage-4-lite
\`\`\`

## What it is not

It is not an ensemble: an ensemble runs several complete models and averages their results, at the sum of their costs. It is not the same as a domain model such as voyage-law-2, which is one model trained on texts of one field. And sparse models are not sparse *vectors*: the vectors of voyage-4-large are ordinary dense vectors of 256 to 2048 values, all of which are compared.

The built-in model of vai goes further in the direction of little computation: it has no layers at all, only one vector per word piece.`,
    tryIt: ['vai models --category embedding', 'vai explain shared-embedding-space'],
    related: ['models', 'shared-embedding-space', 'builtin-models'],
    links: ['docs/models-and-costs.md#the-catalogue', 'docs/models-and-costs.md#mixing-models'],
  },
  {
    name: 'voyage-4-nano',
    aliases: ['nano', 'open-weight', 'open-weights', 'huggingface'],
    title: 'voyage-4-nano: the open-weight member of the family',
    summary:
      'A 340-million-parameter model with open weights in the same space as the large ones, to run yourself.',
    content: `voyage-4-nano has about 340 million parameters, weighs around 700 MB and is published under the Apache 2.0 licence. The API does not serve it: it is meant to run on your own hardware. It shares the space of voyage-4-large, voyage-4 and voyage-4-lite, with 512 dimensions by default and 128, 256, 1024 and 2048 on request.

## What it is for

Its role is the query side of asymmetric retrieval. Documents are embedded once by voyage-4-large through the API, with its quality. Queries are embedded by the nano model on your own machine: for nothing, and without a network round trip before each answer. A second use is development: tests can embed with it without a key and still resemble production.

The dimensions must agree. Documents embedded with the default of voyage-4-large have 1024, so the nano model has to be asked for 1024 as well, not for its own default of 512.

## What it costs

| for 50,000 documents and 1M queries a month, 12 months | total |
|---|--:|
| voyage-4-large for everything | $46.20 |
| voyage-4-large for documents, voyage-4-lite for queries | $10.20 |
| voyage-4-large for documents, voyage-4-nano for queries | $3.00 |

The seven dollars between the last two rows are what the API charges for the queries of a year. Against that stands a model to operate: a process with 700 MB of weights in memory, somebody who updates it, and a query quality below that of voyage-4-lite. At a million queries a month it rarely pays for its money alone. It pays when queries must not leave your network, although then the documents, which went through the API, must be less sensitive than the questions.

## In vai

vai lists the model and counts it in estimates as \`asymmetric-local\`, but does not run it: the package has no transformer runtime built in. There are two ways to something similar.

- **Everything local, simplest:** the built-in models. No download, no server, weaker vectors that are made up for in part by hybrid search and reranking.
- **Everything local, stronger:** an open embedding model behind Ollama or an OpenAI-compatible server, named for ingest and query alike: \`vai ingest docs/ --collection handbook --model ollama/nomic-embed-text\`. Documents and queries then both stay in your network.

Naming \`voyage-4-nano\` as the model of a call with a Voyage key does not work, because the API does not offer it; use \`voyage-4-lite\` there.

## Open weights, open source?

Open weights mean that the trained parameters may be downloaded and used under their licence. The training data and code are usually not part of it, so nobody outside can repeat the training. For most users the practical questions are others: may it be used commercially (Apache 2.0: yes), does it run on the hardware at hand, and who keeps it running.

For comparison: the built-in model has about 15 million values instead of 340 million parameters, which is why it fits into the package and needs no special hardware.`,
    tryIt: ['vai estimate --docs 50K --queries 1M', 'vai explain local-inference'],
    related: ['shared-embedding-space', 'local-inference', 'models'],
    links: ['docs/models-and-costs.md#what-will-it-cost', 'docs/models-and-costs.md#ollama'],
  },
  {
    name: 'local-inference',
    aliases: [
      'local',
      'local-embedding',
      'local-embeddings',
      'python-bridge',
      'bridge',
      'nano-setup',
      'offline',
    ],
    title: 'Local inference: nothing leaves the machine',
    summary: 'vai works offline with its built-in models; stronger local models can be plugged in.',
    content: `Local inference means that models run on hardware you control. No text leaves your network, no request is billed, and everything works on a train. vai needs no Python and no GPU for it.

## Three degrees

**1. The built-in models.** They are the default. Static vectors and a small reranker inside the package; no download, no process to operate. See the topic on built-in models for what they can and cannot do.

**2. A transformer inside vai.** \`vai models add bge-small-en-v1.5\` puts a real sentence encoder on your machine, \`vai models add Xenova/ms-marco-MiniLM-L-6-v2\` a cross-encoder for reranking; any ONNX file with its tokenizer works, from a hub or from a folder (\`--from\`). They run on the CPU through the optional package \`onnxruntime-node\`, which you install beside vai. \`vai models list\` shows what you have, and \`HF_HUB_OFFLINE=1\` forbids downloads.

**3. A model server of your own.** Ollama, or anything that speaks OpenAI's API: vLLM, LM Studio, llama.cpp, TEI. Such a server may have a GPU and larger models. Where it serves \`/rerank\`, vai can rerank through it too.

All three embed for every toolset. For extracting a knowledge graph, the rules that vai brings need no model; Ollama and OpenAI-compatible servers can do it instead, the provider \`local\` cannot.

## An example with Ollama

\`\`\`bash
ollama pull nomic-embed-text
vai config set ollama-base-url http://127.0.0.1:11434
vai ingest docs/ --collection handbook --model ollama/nomic-embed-text
vai query "how do we rotate keys" --collection handbook
\`\`\`

The query needs no model name: the collection remembers its own. The prefixes that this model expects before questions and passages are added by vai. For an OpenAI-compatible server, set \`openai-base-url\` to its address with the version (\`http://127.0.0.1:1234/v1\`) and name \`openai/<model>\`.

## What offline means

Ingest, search, query, get and the graph open no connection unless a hosted model or a remote database is configured. Two things need the network by their nature: adding or refreshing documentation from the web, and hosted models. \`BLZ_OFFLINE=1\` refuses the first; leaving the keys unset rules out the second. vai sends no telemetry and looks for no updates.

A provider is only used where you chose it, by a key or address in vai's own settings or by naming one of its models. An \`OPENAI_API_KEY\` that another program left in the environment changes nothing.

\`vai ping\` shows what is configured and whether it answers; it is the quickest way to make sure that nothing remote is in use.

## Choosing

Start with the built-in models and hybrid search. Move to the second or third degree if questions in everyday words fail, or if your documents are not in English; a multilingual model behind Ollama makes the larger difference there. Each change of model needs a new collection.

A machine with strict rules can go one step further: \`BLZ_ALLOW_HOSTS\` limits which hosts documentation may come from, and \`--read-only\` starts a server that offers nothing that writes.`,
    tryIt: ['vai ping', 'vai search "how do we rotate keys" --mode words'],
    related: ['builtin-models', 'voyage-4-nano', 'api-access', 'provider-comparison'],
    links: [
      'docs/models-and-costs.md#other-providers',
      'docs/models-and-costs.md#what-leaves-the-machine',
      'docs/security.md#where-data-goes',
    ],
  },
  {
    name: 'provider-comparison',
    aliases: [
      'providers',
      'voyage-vs-openai',
      'openai-vs-voyage',
      'voyage-vs-anthropic',
      'anthropic-vs-voyage',
      'openai-vs-anthropic',
      'anthropic-vs-openai',
      'voyage-openai-anthropic',
      'differences',
      'which-provider',
      'compare-providers',
      'embedding-providers',
      'vs-openai',
      'vs-anthropic',
      'competitors',
      'alternatives',
      'openai',
      'cohere',
      'gemini',
    ],
    title: 'Embedding providers compared',
    summary: 'Voyage, OpenAI, Google and Cohere sell embeddings; Anthropic does not and points to Voyage.',
    content: `The common vendors of embeddings differ less in quality than in what surrounds the model: context length, rerankers, shared spaces, and where the contract is. Check prices and limits with the vendor before you rely on them.

## The vendors

| vendor | embedding models | dimensions | text length | rerankers |
|---|---|---|---|---|
| Voyage AI (part of MongoDB since 2025) | voyage-4 family; code, finance, law | 256 to 2048 | 32K tokens | rerank-2.5, rerank-2.5-lite |
| OpenAI | text-embedding-3-small, -large | 1536, 3072, can be shortened | about 8K tokens | none |
| Google | gemini-embedding-001 | 3072, can be shortened | 2,048 tokens | not in this API |
| Cohere | Embed v4, text and images | up to 1536 | see the vendor | its own |
| Anthropic | none; its documentation names Voyage | | | |
| Amazon Bedrock | Titan, and Cohere's models | by model | by model | by model |

On RTEB the vendor's own figures are 71.41 for voyage-4-large, 68.66 for Gemini Embedding 001, 65.75 for Cohere Embed v4 and 62.57 for OpenAI v3 Large. They come from one of the competitors, so treat them as a hint.

## What vai can use

| provider | embeds | reranks | extracts graphs | needs |
|---|---|---|---|---|
| built-in | yes | yes | by rules | nothing |
| Voyage | yes | yes | no | \`VOYAGE_API_KEY\` |
| \`gemini\` | yes | no | yes | \`GEMINI_API_KEY\` |
| \`bedrock\` | yes | no | yes | the AWS package and AWS's own credentials |
| \`openai\` | yes | where \`/rerank\` is served | yes | the address of an OpenAI-compatible API |
| \`ollama\` | yes | no | yes | Ollama running |
| \`local\` | yes | no | no | an optional package |

All of them work for all toolsets: name the model where a model is named. Names that belong to one provider can stand alone (\`gemini-embedding-001\`); the others carry it in front (\`openai/text-embedding-3-small\`, \`ollama/nomic-embed-text\`).

## An example

\`\`\`bash
vai config set openai-base-url https://api.openai.com/v1
vai config set openai-api-key
vai ingest docs/ --collection handbook-openai --model openai/text-embedding-3-small --only-when-named
\`\`\`

The collection stands beside the one you have, is searched only when it is named, and can be compared with \`vai eval\`.

## Criteria in the order in which they usually matter

1. **Where may the text go?** If it must not leave your network: built-in, local, Ollama or a server of your own.
2. **What contract is there already?** A key that is billed through an existing account beats a point of nDCG.
3. **How long are the texts?** With chunks of 1,500 characters every model's limit is sufficient.
4. **Queries per month.** With many, a shared space (voyage-4) or a local model saves most. With few, price is irrelevant.
5. **Quality on your questions.** Only a test tells.

Switching later means embedding everything again, since spaces differ; vai refuses to mix them. The text itself, the headings and the citations stay, so a switch costs money and time but no work. Estimate it with \`vai estimate docs/ --model voyage-4-large\` before you begin.`,
    tryIt: ['vai models', 'vai ping', 'vai explain benchmarking'],
    related: ['models', 'benchmarking', 'rteb-benchmarks', 'builtin-models'],
    links: [
      'docs/models-and-costs.md#other-providers',
      'docs/models-and-costs.md#an-openai-compatible-endpoint',
    ],
  },
];
