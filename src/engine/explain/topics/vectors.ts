// Explanations: vectors and how they are compared.

import type { Topic } from '../topic.ts';

export const VECTORS: readonly Topic[] = [
  {
    name: 'embeddings',
    aliases: ['embed', 'embedding'],
    title: 'Embeddings: meaning as numbers',
    summary:
      'An embedding is a list of numbers that places a text so that texts about the same thing lie close together.',
    content: `A computer cannot compare meanings, but it can compare positions. An embedding model reads a text and returns a vector: a fixed number of values, for example 256 or 1024. The model was trained so that texts which answer each other, or say the same in other words, point in nearly the same direction. "How do I sign in?" and "The login page asks for a password" share no important word, yet their vectors are close.

What follows from that:

- **Search** embeds the question and looks for the stored vectors nearest to it.
- **Duplicates** are pairs of texts whose vectors nearly coincide.
- **Only vectors of one model can be compared.** Two models number their dimensions differently, so a vector of one means nothing to the other. The exception is a family with a shared space (see shared-embedding-space).

A vector says what a text is about, not what it says word for word. Exact names, error codes and version numbers are better found by words, which is why vai searches by both (see hybrid-search). One vector stands for one chunk; a long document becomes many (see chunking).`,
    tryIt: [
      'vai embed "How do I sign in?"',
      'vai similarity "How do I sign in?" "The login page asks for a password"',
    ],
    related: ['vector-search', 'cosine-similarity', 'input-type', 'chunking', 'models'],
  },
  {
    name: 'cosine-similarity',
    aliases: ['cosine', 'similarity'],
    title: 'Cosine similarity: how close two vectors are',
    summary:
      'The cosine of the angle between two vectors: 1 for the same direction, 0 for unrelated, below 0 for opposed.',
    content: `The cosine similarity of two vectors is their dot product divided by the product of their lengths. Only the angle counts, not how long the vectors are. Embedding models return vectors of length one, so the dot product alone is the cosine, and comparing two vectors of 1,024 values takes about a thousand multiplications.

How to read the number:

- It **ranks**, it does not measure truth. 0.62 can be an excellent match with one model and a poor one with another; compare scores of one model and one question only.
- Real texts rarely fall near 0 or below it: all prose in one language has something in common, so unrelated pairs often sit between 0.1 and 0.4.
- There is no universal threshold. Look at the gap between the first results and the rest, or let a reranker decide (see reranking).

vai compares both texts of \`vai similarity\` in the document role, because neither is a question about the other.`,
    tryIt: ['vai similarity "The cache is cleared every night" "Cached entries live for a day"'],
    related: ['embeddings', 'vector-search', 'reranking'],
  },
  {
    name: 'vector-search',
    aliases: ['vectors', 'vectorsearch', 'search'],
    title: 'Vector search: finding the nearest meanings',
    summary: 'The question becomes a vector, and the chunks whose vectors lie nearest to it are the results.',
    content: `Vector search has two moments. When a text is ingested, each chunk is embedded once and stored with its vector. When somebody asks, the question is embedded with the same model and compared with what is stored; the highest cosines win.

Comparing with every vector is exact and, up to some hundred thousand chunks, quick: the embedded store of vai first scans short binary codes of the vectors and then computes the true cosine for the best of them. MongoDB Atlas keeps an approximate index (HNSW) that walks a graph of neighbours instead; \`numCandidates\` says how far it looks, and a value twenty times the number of results is a good start.

What vector search is good at: paraphrase, questions in everyday words, concepts. What it is bad at: exact identifiers, negation ("without Docker"), numbers, and words the model never saw. Filters narrow the candidates before the comparison, never after it, so that a filtered search still returns as many results as there are (see filters).`,
    tryIt: ['vai search "how are passwords stored" --mode meaning', 'vai search "E_CONN_RESET" --mode words'],
    related: ['embeddings', 'hybrid-search', 'filters', 'two-stage-retrieval'],
  },
  {
    name: 'input-type',
    aliases: ['inputtype', 'input_type', 'query-vs-document'],
    title: 'Input type: a question is not a passage',
    summary:
      'Most retrieval models embed questions and documents differently; using the wrong role costs accuracy.',
    content: `A question and the passage that answers it look different: one is short and asks, the other is long and states. Retrieval models are trained on such pairs, and many of them put a short instruction before the text that tells the model which side it is on. Voyage calls this \`input_type\`, with the values \`query\` and \`document\`; other vendors have task types or prefixes for the same purpose.

The rules are short:

- Text that is **stored** is embedded as \`document\`.
- Text that **looks for something** is embedded as \`query\`.
- Two texts that are compared as equals (duplicates, clustering) both get the same role; \`vai similarity\` uses \`document\`.

Vectors of the two roles live in the same space and may be compared; that is the point. Leaving the role out still works, but results get measurably worse. vai sets it for you everywhere; only \`vai embed\` asks, because only there it cannot know what you want the vector for.`,
    tryIt: [
      'vai embed "rate limits" --input-type query',
      'vai embed "Clients may send 60 requests a minute." --input-type document',
    ],
    related: ['embeddings', 'vector-search'],
  },
  {
    name: 'quantization',
    aliases: [
      'quantize',
      'output-dtype',
      'dtype',
      'int8',
      'binary',
      'ubinary',
      'matryoshka',
      'flexible-dimensions',
      'dimensions',
    ],
    title: 'Quantization and shorter vectors: the same meaning in less space',
    summary:
      'Vectors can be made smaller by keeping fewer dimensions or fewer bits of each, at a small loss of accuracy.',
    content: `A vector of 1,024 32-bit floats takes 4 KB; a million of them take 4 GB. Two independent ways make them smaller.

**Fewer dimensions.** Models trained the Matryoshka way put the most important information first, so the first 512 or 256 values are a good vector by themselves (scaled to length one again). The voyage-4 models offer 2048, 1024, 512 and 256; the built-in model 256, 128 and 64. All vectors of a collection must have one length.

**Fewer bits.** \`int8\` and \`uint8\` keep one byte per dimension, a quarter of the size; \`binary\` and \`ubinary\` keep one bit, a thirty-second. Binary vectors are compared by counting differing bits, which is very fast.

The usual arrangement takes both: search the short codes, then compute the exact score for the best few hundred from the full vectors. The embedded store of vai works like that by itself, so there is nothing to configure. Choose fewer dimensions when storage or memory is the limit, and measure on your own questions before you go below 512 with a hosted model.`,
    tryIt: ['vai embed "hello" --dimensions 64', 'vai models --category embedding'],
    related: ['embeddings', 'vector-search', 'models'],
  },
  {
    name: 'shared-embedding-space',
    aliases: [
      'shared-space',
      'embedding-space',
      'interchangeable',
      'compatible',
      'asymmetric',
      'asymmetric-retrieval',
    ],
    title: 'Shared embedding space: document and query by different models',
    summary:
      'The voyage-4 models make comparable vectors, so documents can be embedded by the best one and queries by the cheapest.',
    content: `Normally a collection can only be searched with the model that embedded it. The four models voyage-4-large, voyage-4, voyage-4-lite and voyage-4-nano were trained together and share one space: at equal dimensions, a vector of any of them may be compared with a vector of any other.

That allows **asymmetric retrieval**. Documents are embedded once, so their quality is bought once: use voyage-4-large. Queries come for ever, so their price counts: use voyage-4-lite, at a sixth of the price, or voyage-4-nano on your own machine. With a million queries a month the difference is most of the bill; \`vai estimate\` shows it.

vai records model and dimensions with every collection. A query with another model of the same space is accepted; any other mix is refused with both names, because the scores would be noise that looks like results. To change the space of a collection, ingest its sources into a new collection with the new model.`,
    tryIt: ['vai estimate --docs 50000 --queries 1000000', 'vai models --category embedding'],
    related: ['models', 'embeddings', 'voyage-4-nano', 'quantization'],
  },
  {
    name: 'modality-gap',
    aliases: ['modality gap', 'clip'],
    title: 'The modality gap: why image scores look low',
    summary:
      'In models that embed text and images, the two kinds form separate clouds, so scores across them are lower than within one.',
    content: `Models of the CLIP kind have two encoders, one for text and one for images, trained to bring matching pairs together. They succeed only relative to other pairs: in practice all text vectors lie in one region and all image vectors in another, with a gap between them. A text is then closer to an unrelated text than to the image it describes.

In a mixed collection this has a visible effect: a search by text returns texts first and images last, whatever they show. Remedies are to search each kind separately and merge by rank instead of by score, or to use a model with one encoder for both, such as the Voyage multimodal models, which read text and pixels through the same network and narrow the gap.

vai stores text. An image enters it through words about the image: a caption, a transcript, the text of the page.`,
    tryIt: ['vai explain multimodal-embeddings', 'vai models --category embedding'],
    related: ['multimodal-embeddings', 'cross-modal-search', 'cosine-similarity'],
  },
];
