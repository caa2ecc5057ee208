// Explanations: the models, their keys and how they compare.

import type { Topic } from '../topic.ts';

export const MODELS: readonly Topic[] = [
  {
    name: 'models',
    aliases: ['model', 'voyage', 'voyage-4', 'voyage-4-large', 'voyage-4-lite'],
    title: 'Models: which one for what',
    summary:
      'Embedding models make vectors, rerankers order candidates; pick by quality, price and where the text may go.',
    content: `Without any key vai uses its built-in models: builtin-embed-1 and builtin-rerank-1. They run on this machine, cost nothing, and together with search by words they are good enough to start with (see builtin-models).

With a Voyage key the defaults become voyage-4-large and rerank-2.5. A short guide:

- **voyage-4-large**: best quality; for documents, which are embedded once.
- **voyage-4-lite**: a sixth of the price in the same space; for queries.
- **voyage-4**: the middle.
- **voyage-code-3**: source code. **voyage-finance-2**, **voyage-law-2**: their fields.
- **rerank-2.5** and **rerank-2.5-lite**: precise, and fast.

A model is chosen in this order: the argument of the call, a flag, \`.vai.json\`, the global config, the model the collection was made with, the default. Every answer names the model that was used. Models you add or correct in a JSON file (config key \`models\`) appear in the list; a name vai does not know is sent to the provider with a warning.`,
    tryIt: ['vai models', 'vai models --category rerank'],
    related: ['builtin-models', 'shared-embedding-space', 'benchmarking', 'api-keys'],
  },
  {
    name: 'builtin-models',
    aliases: ['builtin', 'builtin-embed-1', 'builtin-rerank-1', 'static-embeddings', 'no-key'],
    title: 'The built-in models: search without a key',
    summary:
      'A small static embedding model and a reranker ship inside vai; they need no key, no network and no download.',
    content: `builtin-embed-1 is a static model: every word piece has one trained vector, and a text is the weighted mean of its pieces. There is no network to run through, so a chunk takes tens of microseconds on any machine. It gives 256 dimensions, or 128 or 64 on request.

What it cannot do follows from how it works: word order and context do not change a vector, so "dog bites man" equals "man bites dog". That is why vai pairs it with search by words and weighs both (see hybrid-search), and why its scores are trusted less in the fusion than those of a hosted model.

builtin-rerank-1 reads question and candidate for the evidence a first stage cannot weigh together: which words match and how rare they are, whether they stand close together or in a heading, and how near the meanings are.

Nothing leaves the machine. When you outgrow them, set a Voyage key and ingest your sources into a new collection: vectors of different models cannot be mixed.`,
    tryIt: [
      'vai embed "hello" --model builtin-embed-1',
      'vai rerank "cats" "a page about dogs" "a page about cats" --model builtin-rerank-1',
    ],
    related: ['models', 'hybrid-search', 'local-inference'],
  },
  {
    name: 'mixture-of-experts',
    aliases: ['moe', 'moe-architecture', 'experts', 'sparse'],
    title: 'Mixture of experts: large models that run small',
    summary:
      'A router sends each token through a few of many expert layers, so capacity grows without the cost growing with it.',
    content: `In an ordinary (dense) transformer every token passes through every weight. In a mixture-of-experts model the feed-forward layers are split into many experts, and a small router picks a few of them for each token. The model holds the knowledge of all experts but computes with only the chosen ones.

The effect is quality of a large model at the running cost of a smaller one. The price is memory (all experts must be loaded) and a more delicate training, because the router must use all experts evenly.

voyage-4-large is built this way; the other voyage-4 models are dense. For you as a user nothing changes: the vectors have the same dimensions and lie in the same shared space, so documents embedded by the sparse model can be queried with a dense one.`,
    tryIt: ['vai models --category embedding'],
    related: ['models', 'shared-embedding-space'],
  },
  {
    name: 'voyage-4-nano',
    aliases: ['nano', 'open-weight', 'open-weights', 'huggingface'],
    title: 'voyage-4-nano: the open-weight member of the family',
    summary:
      'A 340-million-parameter model with open weights in the same space as the large ones, to run yourself.',
    content: `voyage-4-nano has about 340 million parameters, weighs around 700 MB, and is published under the Apache 2.0 licence. The API does not serve it: it is meant to run on your own hardware. It shares the space of voyage-4-large, voyage-4 and voyage-4-lite, with 512 dimensions by default and 128, 256, 1024 and 2048 on request.

Its role is the query side of asymmetric retrieval: documents embedded once by voyage-4-large through the API, queries embedded locally for nothing, with no network in the way of an answer. The price is quality below voyage-4-lite and a model to operate.

vai lists it and counts it in estimates (as \`asymmetric-local\`), but does not run it. For search without any network, the built-in models are the simpler way.`,
    tryIt: ['vai estimate --docs 100000 --queries 500000', 'vai explain local-inference'],
    related: ['shared-embedding-space', 'local-inference', 'models'],
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
    summary:
      'Everything in vai works offline with the built-in models; larger local models can be used for the graph.',
    content: `Three degrees of local:

1. **Built-in** (default): static vectors and a reranker inside the package. No download, no Python, no GPU. See builtin-models.
2. **A transformer on this machine**: FlowRAG's provider \`local\` runs \`Xenova/e5-small-v2\` (384 dimensions, English, 512 tokens) through an optional package; the model is downloaded once.
3. **Your own server**: Ollama (\`ollama/<model>\`) or any endpoint that speaks OpenAI's API (\`openai-base-url\`, then \`openai/<model>\`): vLLM, LM Studio, llama.cpp, TEI.

Offline means offline: ingest, search, query, get and the graph never open a connection when no hosted model is configured. \`BLZ_OFFLINE=1\` also refuses to fetch documentation. What needs the network says so and names what is missing.

When documents may not leave your network, leave the keys unset: then no code path can send them.`,
    tryIt: ['vai ping', 'vai search "anything" --mode words'],
    related: ['builtin-models', 'voyage-4-nano', 'api-access'],
  },
  {
    name: 'multimodal-embeddings',
    aliases: [
      'multimodal',
      'multimodal-3',
      'multimodal-3.5',
      'voyage-multimodal',
      'voyage-multimodal-3',
      'voyage-multimodal-3.5',
      'image-embedding',
      'image-embeddings',
      'images',
    ],
    title: 'Multimodal embeddings: text and images in one space',
    summary: 'Multimodal models embed text, images and pages that mix both into comparable vectors.',
    content: `A multimodal model reads pictures as well as words and returns vectors of one space, so that a question in words can find a diagram, a screenshot or a scanned page. The Voyage multimodal models pass text and pixels through one network, which lets a single input mix both: a paragraph, its figure, its caption.

Images may be PNG, JPEG, WebP or GIF, at most 16 million pixels and 20 MB each. They are billed by pixels: voyage-multimodal-3.5 costs 0.12 dollars per million text tokens and 0.60 dollars per billion pixels, and about 560 pixels count as a token.

vai sends text to these models when you name one, through their own address of the API; it does not send images. If your pages are scans, extract the text first: exact lines and citations need text.`,
    tryIt: ['vai models --category embedding'],
    related: ['cross-modal-search', 'modality-gap', 'multimodal-rag', 'models'],
  },
  {
    name: 'cross-modal-search',
    aliases: ['cross-modal', 'crossmodal', 'image-search'],
    title: 'Cross-modal search: asking in words, finding images',
    summary:
      'With a shared space for text and images, a question in words can be answered by a picture, and the other way round.',
    content: `Cross-modal search compares vectors of different kinds: a text against images, an image against texts. It works only with a model that embeds both (see multimodal-embeddings) and only within that model's space.

Practical points:

- Describe what is **visible**: "bar chart of revenue by quarter" finds more than "last year's success".
- Scores across kinds are lower than within one kind (see modality-gap). Rank each kind by itself and merge by rank.
- Text inside images (labels, code in screenshots) is read by newer models to a degree, but a text extracted by OCR and searched by words is more reliable.

vai keeps text. The equivalent here is to ingest captions, alternative texts or OCR output with the file name as \`source\`, so that a result leads to the image.`,
    tryIt: ['vai explain multimodal-embeddings', 'vai explain modality-gap'],
    related: ['multimodal-embeddings', 'modality-gap', 'multimodal-rag'],
  },
  {
    name: 'multimodal-rag',
    aliases: ['visual-rag', 'document-screenshot', 'pdf-rag', 'pdf'],
    title: 'RAG over pages with pictures',
    summary:
      'Either embed page images directly or turn pages into text first; text gives exact citations, images keep the layout.',
    content: `Slides, scans and reports carry meaning in layout and figures. Two ways lead from there to retrieval:

**Page images.** Each page is rendered and embedded by a multimodal model; the answer is written by a model that can see. Tables and charts survive; exact quotation does not, and costs are by pixel.

**Text first.** Text is extracted from the PDF, with headings and page numbers, and treated like any document. Words, citations and filters all work; a figure is only present through its caption.

vai takes the second way: it reads PDF, Word, HTML, Markdown and plain text. A PDF without a text layer (a scan) is reported as unreadable rather than indexed empty; run OCR on it first. For decks where the picture is the message, add a sentence per figure: it is cheap and makes the figure findable.`,
    tryIt: ['vai ingest report.pdf --collection reports', 'vai estimate docs/'],
    related: ['multimodal-embeddings', 'rag', 'ingest'],
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
    content: `What distinguishes the common choices (check prices before you rely on them):

- **Voyage AI** (part of MongoDB since 2025): retrieval specialists. voyage-4 family with a shared space, 32K tokens of context, 256 to 2048 dimensions, domain models for code, finance and law, and rerankers.
- **OpenAI**: text-embedding-3-small and -large (1536 and 3072 dimensions, can be shortened), about 8K tokens, no rerankers.
- **Google**: gemini-embedding-001, 3072 dimensions (can be shortened), 2,048 tokens per text.
- **Cohere**: Embed v4, text and images, up to 1536 dimensions, with its own rerankers.
- **Anthropic** offers no embedding model and names Voyage in its documentation.

In vai: all of them where configured (Voyage, Gemini, Bedrock with Titan and Cohere, OpenAI and whatever speaks its API), Ollama, and the built-in model without anybody. Switching provider means embedding everything again, since spaces differ, so the choice deserves a test on your own questions (see benchmarking).`,
    tryIt: ['vai models', 'vai explain benchmarking'],
    related: ['models', 'benchmarking', 'rteb-benchmarks', 'builtin-models'],
  },
];
