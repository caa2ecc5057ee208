// Explanations: vectors and how they are compared.

import type { Topic } from '../topic.ts';

export const VECTORS: readonly Topic[] = [
  {
    name: 'embeddings',
    aliases: ['embed', 'embedding'],
    title: 'Embeddings: meaning as numbers',
    summary:
      'An embedding is a list of numbers that places a text so that texts about the same thing lie close together.',
    content: `A computer cannot compare meanings, but it can compare positions. An embedding model reads a text and returns a vector: a fixed number of values, for example 256 or 1024. The model was trained on millions of pairs that belong together (a heading and its section, a question and its answer) so that such pairs end up pointing in nearly the same direction, and pairs that do not belong together point elsewhere.

## An example

With the built-in model, "The service stores sessions in Redis" and "Session data is kept in Redis" have a cosine of about 0.8. The first sentence and "The cafeteria closes at three" have one near 0. The two sentences about Redis differ in nearly every word except the name, and still lie close together; that is what search by meaning uses.

The strength of the effect depends on the model. A small static model such as \`builtin-embed-1\` relies on related words: "How do I sign in?" and "The login page asks for a password" get only about 0.14 from it, although a person sees the connection at once. A hosted transformer reads the whole sentence and places such pairs much closer. This is why vai never relies on the small model alone but searches by words as well.

## What embeddings are used for

- **Search.** The question is embedded and the stored vectors nearest to it are the candidates.
- **Duplicates.** Two texts whose vectors nearly coincide probably say the same thing; \`vai_similarity\` checks one pair.
- **Ranking.** The closeness of question and passage is one of the signals that a reranker weighs.

## What to keep in mind

**Only vectors of one model can be compared.** Two models number their dimensions differently, so a vector of one means nothing to the other, even when both have the same length. The exception is a family that was trained to share a space, such as voyage-4. vai records the model with each collection and refuses a query with a model that does not fit.

**One vector stands for one chunk.** A long document becomes many chunks with one vector each, because a single vector for a whole manual would be about everything and near to nothing.

**A vector says what a text is about, not what it says word for word.** Exact names, error codes and version numbers are found more reliably by words. Negation is weak too: "with Docker" and "without Docker" are neighbours.

**Texts have a role.** Most models embed a question differently from a passage. vai sets the role in every search and ingest; only \`vai embed\` leaves the choice to you.

**Vectors are not secret, but not harmless either.** Much of a text can be guessed from its vector. Treat stored vectors like the texts they came from.

You rarely need the numbers themselves. \`vai ingest\` makes and stores them, and \`vai query\` uses them. To look at one, run the first command below; it prints 256 values for the built-in model.`,
    tryIt: [
      'vai embed "Session data is kept in Redis"',
      'vai similarity "The service stores sessions in Redis" "Session data is kept in Redis"',
    ],
    related: ['vector-search', 'cosine-similarity', 'input-type', 'chunking', 'models'],
    links: ['docs/model-card.md#how-it-reads-text', 'docs/models-and-costs.md'],
  },
  {
    name: 'cosine-similarity',
    aliases: ['cosine', 'similarity'],
    title: 'Cosine similarity: how close two vectors are',
    summary:
      'The cosine of the angle between two vectors: 1 for the same direction, 0 for unrelated, below 0 for opposed.',
    content: `The cosine similarity of two vectors is their dot product divided by the product of their lengths. Only the angle between them counts, not how long they are. Embedding models return vectors of length one, so the dot product alone is the cosine, and comparing two vectors of 1,024 values takes about a thousand multiplications.

As a formula: cos(a, b) = (a₁b₁ + a₂b₂ + …) / (|a| · |b|). For a = (3, 4) and b = (4, 3) the dot product is 24 and both lengths are 5, so the cosine is 24 / 25 = 0.96: nearly the same direction.

## Reading the number

Some pairs as \`builtin-embed-1\` sees them, rounded:

| first text | second text | cosine |
|---|---|--:|
| The cache is cleared every night | Every night the cache is cleared | 1.0 |
| The database connection timed out | A timeout while connecting to the database | 0.7 |
| The cache is cleared every night | Cached entries live for a day | 0.3 |
| The database connection timed out | Our office dog likes long walks | 0.0 |

The first row shows a property of this model: it has hardly any notion of word order, so both sentences get nearly the same vector. The third row is a related pair with a low value; with a transformer the same pair would be considerably higher.

From this follow three rules.

**It ranks; it does not measure truth.** 0.62 may be an excellent match with one model and a poor one with another. Compare cosines of one model only, and preferably of one question.

**There is no universal threshold.** With many hosted models even unrelated prose sits at 0.2 to 0.4, because all texts of one language have something in common. A fixed limit such as "0.7 means relevant" is wrong for most models and most collections.

**A negative value is not the opposite meaning.** "The test passed" and "The test failed" have a high cosine, because both are about test results.

## What vai shows instead

A search answer has three numbers per hit, and only one of them is a cosine. \`similarity\` is the raw cosine of question and passage, where vectors took part. \`score\` orders the hits of one answer and means nothing outside it. \`relevance\`, between 0 and 1, estimates how likely the passage answers the question; it was calibrated on thousands of judged questions and means the same in every mode, collection and call. When you need a threshold, use \`--min-relevance\` (\`minRelevance\` in the tools), not the cosine.

Cosine is the right tool for a direct comparison of two texts: is this ticket a duplicate of that one, do these two paragraphs say the same? \`vai similarity\` and the tool \`vai_similarity\` answer that. They embed both texts as documents, because neither is a question about the other. To order several texts against a question, \`vai rerank\` is both more exact and less work.`,
    tryIt: [
      'vai similarity "The database connection timed out" "A timeout while connecting to the database"',
      'vai search "how long are cached entries kept" --min-relevance 0.2',
    ],
    related: ['embeddings', 'vector-search', 'reranking'],
    links: ['docs/your-documents.md#relevance-and-verdict', 'docs/evaluation.md#relevance-and-the-verdict'],
  },
  {
    name: 'vector-search',
    aliases: ['vectors', 'vectorsearch', 'search', 'hnsw', 'ann', 'nearest-neighbours'],
    title: 'Vector search: finding the nearest meanings',
    summary: 'The question becomes a vector, and the chunks whose vectors lie nearest to it are the results.',
    content: `Vector search happens at two moments. When a text is ingested, each chunk is embedded once and stored with its vector. When somebody asks, the question is embedded with a model of the same space and compared with what is stored; the chunks with the highest cosine are the candidates.

## Exact or approximate

The simplest method compares the question with every stored vector. That is exact, and with today's processors it is fast for surprisingly many chunks. The embedded store of vai works like this, with one improvement: it first compares shortened vectors (one byte per dimension up to 50,000 vectors of 256 dimensions, one bit above that) and then computes the true cosine for the best of them.

For very large collections there are approximate indexes (ANN, approximate nearest neighbours). The best known is **HNSW**: every vector is a node that is linked to near neighbours, in several layers from coarse to fine. A search enters at the top and walks towards the question, looking at a few thousand nodes instead of millions. The price is that a true neighbour is now and then missed, that the graph takes memory, and that it has to be kept up to date.

MongoDB Atlas Vector Search uses HNSW. There, \`numCandidates\` says how widely the walk looks before the best are returned; vai chooses it. An index follows writes with a short delay, usually about a second, so a text just ingested can be opened at once and found a moment later. On a MongoDB server without vector search vai compares every vector in memory up to 64 MB of them, and the answer says when it had to limit itself.

## Strong and weak sides

Vector search is good at paraphrase, at questions in everyday words and at concepts: "how do I keep users signed in" finds a section on session renewal. It is bad at exact identifiers (\`E_CONN_RESET\`), at negation ("without Docker"), at numbers and versions, and at names that the model never saw. Search by words has exactly the opposite strengths, which is why the command \`vai search\` uses both unless you choose a mode.

A further weakness: there is always a nearest neighbour. Ask a cookbook about Kubernetes and you get the least unsuitable recipe. Every answer of vai therefore has a verdict; \`nothing_relevant\` says that the hits are merely the nearest.

## Filters

A filter narrows the candidates before the comparison, not after it, so a filtered search still returns as many hits as there are. On Atlas the index must declare the path that is filtered; vai declares the usual ones, and \`vai index create handbook --filter-field metadata.team\` adds another.

## Which mode is used

The tools \`vai_query\` and \`vai_search\` look by meaning where a hosted embedder is configured and by words and meaning together with the built-in one. \`mode\` of \`vai_search\` and \`--mode\` on the command line override that, as the two commands below do: the first by vectors alone, the second by words alone.`,
    tryIt: ['vai search "how are passwords stored" --mode meaning', 'vai search "E_CONN_RESET" --mode words'],
    related: ['embeddings', 'hybrid-search', 'filters', 'two-stage-retrieval', 'quantization'],
    links: [
      'docs/your-documents.md#searching',
      'docs/mongodb-atlas.md#search-indexes',
      'https://www.mongodb.com/docs/atlas/atlas-vector-search/',
    ],
  },
  {
    name: 'input-type',
    aliases: ['inputtype', 'input_type', 'query-vs-document'],
    title: 'Input type: a question is not a passage',
    summary:
      'Most retrieval models embed questions and documents differently; using the wrong role costs accuracy.',
    content: `A question and the passage that answers it look different: one is short and asks, the other is longer and states. Retrieval models are trained on such pairs, and many of them are told which side a text is on by a short instruction in front of it. The vector then says "a text that answers this" for a question, and "a text that is about this" for a passage.

## What vendors call it

- Voyage: \`input_type\`, with the values \`query\` and \`document\`.
- Gemini: task types for retrieval queries and retrieval documents.
- Cohere: search query and search document.
- Open models (E5, BGE, Nomic, Qwen3, EmbeddingGemma, Arctic, mxbai): fixed words before the text, such as \`query: \` and \`passage: \` for E5.
- OpenAI's embedding models have no roles.
- The built-in model of vai makes the same vector for both roles. In a search it gives the rarer words of a question more weight.

vai knows two roles, \`query\` and \`document\`, and translates them into what each provider expects. Models that are reached through an OpenAI-compatible endpoint or Ollama get their prefix by name, so \`ollama/nomic-embed-text\` is used as its authors intended.

## The rules

1. Text that is **stored** is embedded as \`document\`. \`vai ingest\` and \`vai_ingest\` do that.
2. Text that **looks for something** is embedded as \`query\`. \`vai query\`, \`vai search\` and all search tools do that.
3. Two texts that are compared **as equals** (duplicates, clusters) get the same role. \`vai similarity\` uses \`document\` for both.

Vectors of the two roles lie in one space and may be compared; that is the whole point. They are not interchangeable, though: the same sentence embedded in both roles gives two different vectors with models that know roles, and a search that uses the wrong one gets measurably worse without any error message. If you compute vectors outside of vai and compare them with stored ones, check the role first.

## Where you have to choose

Only \`vai embed\` and the tool \`vai_embed\` ask, because only there vai cannot know what you want the vector for. The default is \`query\`. Give \`--input-type document\` when the vector is to be stored or compared with another document.

The role is part of the key under which vai keeps vectors it has already paid for. Embedding the same sentence as a query after it was ingested is therefore one more call, and never returns the wrong vector by accident.

## An example

The first command below embeds a search phrase, the second the sentence that answers it. With a Voyage key their vectors are made for each other. If both were embedded as documents, the phrase would be treated as a very short passage about rate limits and would come close to other short passages, such as headings, instead of to the sentence with the number.

Projects may set a default for \`vai embed\` with \`inputType\` in \`.vai.json\`; it does not change what ingest and search do.`,
    tryIt: [
      'vai embed "rate limits" --input-type query',
      'vai embed "Clients may send 60 requests a minute." --input-type document',
    ],
    related: ['embeddings', 'vector-search', 'cosine-similarity'],
    links: ['docs/models-and-costs.md#an-openai-compatible-endpoint', 'docs/reference.md#vai_embed'],
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
    content: `A vector of 1,024 values in 32-bit floats takes 4 KB; a million of them take 4 GB, and a search has to go through all of that or keep an index over it. There are two independent ways to make vectors smaller.

## Fewer dimensions

Models trained the Matryoshka way put the most important information first. The first 512 or 256 values of such a vector, scaled to length one again, are a good vector by themselves. The voyage-4 models offer 2048, 1024, 512 and 256 dimensions; the built-in model offers 256, 128 and 64. A model that was not trained for it cannot be shortened like this, so vai accepts only lengths the catalogue lists for a model.

All vectors of a collection have one length, fixed by its first text. To change it, ingest the sources into a new collection.

## Fewer bits

| type | bytes for 1,024 dimensions | share |
|---|--:|--:|
| \`float\` | 4,096 | 1 |
| \`int8\`, \`uint8\` | 1,024 | 1/4 |
| \`binary\`, \`ubinary\` | 128 | 1/32 |

\`int8\` keeps one byte per dimension and loses very little. \`binary\` keeps only whether a value is positive. Two binary vectors are compared by counting the bits that differ, which a processor does for many dimensions in one instruction. By themselves binary vectors order results noticeably worse; as a first pass they are excellent.

The usual arrangement combines both: search the short codes, take the best few hundred, and compute the exact cosine for those from the full vectors. The embedded store of vai works this way by itself. It stores the full vectors and scans one byte per dimension, or one bit in large collections, so there is nothing to configure. Up to 50,000 chunks with the built-in model it finds what an exact comparison finds. The weights of the built-in embedding model are themselves stored as \`int8\`, which is how 54,000 word pieces fit into 15.5 MB.

## What to choose

- Below a hundred thousand chunks: nothing. A collection of 100,000 chunks with 1,024 dimensions has 400 MB of vectors, with the built-in model's 256 it is 100 MB.
- When memory or storage of a large Atlas cluster is the limit: fewer dimensions. Going from 1024 to 512 halves everything.
- Below 512 dimensions with a hosted model: measure on your own questions first, for example with \`vai eval\`.

\`vai estimate\` includes storage, counted in chunks and not in documents: 50,000 documents of 500 tokens make about 200,000 chunks of the default size, and 1,024 dimensions for each of them are 819 MB.

## Getting such vectors

\`vai embed\` prints a vector in the length and type you ask for. \`--dimensions\` works with every model that offers lengths; \`--output-dtype\` works with Voyage models, because the conversion is done by the provider. Both are for vectors you use elsewhere: what vai stores is always \`float\`.

The first command below prints 64 values of the built-in model, a quarter of its usual 256; they are the beginning of the long vector, rescaled.`,
    tryIt: ['vai embed "hello" --dimensions 64', 'vai models --category embedding'],
    related: ['embeddings', 'vector-search', 'models', 'rerank-eval'],
    links: ['docs/models-and-costs.md#the-catalogue', 'docs/model-card.md', 'docs/mongodb-atlas.md#sizing'],
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
    content: `Normally a collection can only be searched with the model that embedded it. Each model arranges meanings in its own way, and a direction in one space means something else in another. The four models voyage-4-large, voyage-4, voyage-4-lite and voyage-4-nano were trained together to share one space: at equal dimensions, a vector of any of them may be compared with a vector of any other.

## Why that saves money

Documents are embedded once, queries for as long as people ask. With a shared space the two sides can use different models; this is called **asymmetric retrieval**. Use voyage-4-large for the documents, whose quality is bought once, and voyage-4-lite for the queries, at a sixth of the price.

What \`vai estimate\` says for 50,000 documents of 500 tokens and a million queries a month of 30 tokens, over twelve months:

| strategy | documents | queries a month | total |
|---|--:|--:|--:|
| voyage-4-large for both | $3.00 | $3.60 | $46.20 |
| large for documents, lite for queries | $3.00 | $0.60 | $10.20 |
| large for documents, nano on your machine | $3.00 | $0.00 | $3.00 |
| voyage-4-lite for both | $0.50 | $0.60 | $7.70 |

The difference is most of the embedding bill. It is small beside reranking, however: a million queries with 20 candidates each cost $158.00 a month with rerank-2.5. If the bill matters, look there first.

## How to do it

Ingest with the default (voyage-4-large where a Voyage key is set), then name the cheaper model in the query:

\`\`\`bash
vai query "How does authentication work?" --model voyage-4-lite
\`\`\`

The tools take the same as \`model\`. To make it the rule, set \`vai config set default-model voyage-4-lite\`: a configured model is used for queries of every collection whose space it shares, and the collection's own model everywhere else. Remember that a new collection would then be made with the configured model too; name voyage-4-large when you ingest.

## What vai checks

Model and dimensions are recorded with every collection. A query with another model of the same space and the same dimensions is accepted, and the answer names the model that was used. Any other mix is refused with both names and the error \`MODEL_MISMATCH\`, because the scores would be noise that looks like results. \`vai models\` shows in \`sharedSpace\` which models belong together.

voyage-3 and older models, the domain models (code, finance, law), the multimodal models and the built-in model each have a space of their own. So do all models of other vendors. To change the space of a collection, ingest its sources into a new collection with the new model and remove the old one when you are satisfied.

## What is lost

A query embedded by the lite model finds slightly less than one embedded by the large model. How much depends on your documents; compare both on your own questions with \`vai query\` before you decide. A reranker hides most of the difference, since it only needs the right passage among the candidates.`,
    tryIt: ['vai estimate --docs 50K --queries 1M', 'vai models --category embedding'],
    related: ['models', 'embeddings', 'voyage-4-nano', 'quantization'],
    links: ['docs/models-and-costs.md#mixing-models', 'docs/models-and-costs.md#what-will-it-cost'],
  },
  {
    name: 'modality-gap',
    aliases: ['modality gap', 'clip'],
    title: 'The modality gap: why image scores look low',
    summary:
      'In models that embed text and images, the two kinds form separate clouds, so scores across them are lower than within one.',
    content: `Models of the CLIP kind have two encoders, one for text and one for images, trained together so that a picture and its caption come close. They succeed only relative to other pairs: the right caption is nearer to the picture than the wrong captions are. In absolute terms all text vectors lie in one region of the space and all image vectors in another, with an empty stretch between them. That stretch is the modality gap.

## Why it exists

The two encoders start from different random values, so their outputs occupy different narrow regions before training has even begun. The training objective only compares a text with images and an image with texts. Nothing in it rewards moving the two clouds together as long as the order within each row is right, so the gap survives.

## What you notice

Suppose a collection holds paragraphs and photographs, and somebody searches for "red bicycle". Typical cosines of such a model might be:

| candidate | cosine |
|---|--:|
| a paragraph about bicycles | 0.80 |
| a paragraph about traffic rules | 0.55 |
| a photograph of a red bicycle | 0.30 |
| a photograph of a cat | 0.12 |

The figures are an illustration, but the pattern is real: the right photograph clearly beats the wrong photograph and still loses against an unrelated paragraph. In a mixed result list the texts come first and the images last, whatever they show. A threshold on the score removes all images or no text.

## What helps

1. **Search each kind separately** and merge by rank: first text, first image, second text, and so on. Ranks are comparable where scores are not.
2. **Subtract the mean.** Moving each cloud to a common centre closes part of the gap, but needs access to all vectors.
3. **Use a model with one encoder for both.** The Voyage multimodal models read text and pixels through the same network, which narrows the gap considerably and allows inputs that mix both.
4. **Turn images into text.** A caption, a transcript or OCR output lies in the text cloud with everything else, can be searched by words and can be cited.

## In vai

vai stores and searches text, so it takes the fourth way. When you name a multimodal model, vai sends it text only, and all vectors of the collection are of one kind; no gap arises. A picture enters the knowledge base through words about it, stored with a \`source\` that leads back to the picture:

\`\`\`bash
echo "Photograph: a red bicycle leaning against a brick wall" | vai ingest - --collection photos --source img/0412.jpg
\`\`\`

A search for "red bicycle" then finds it by words and by meaning, beside other texts and with a comparable \`relevance\`. If your agent can look at pictures, it can open the file named in the result and check.

The same caution applies beyond images: scores across any two kinds that were embedded differently (code and prose, questions and passages, two languages) should be compared by rank.`,
    tryIt: ['vai ingest captions/ --collection photos', 'vai search "red bicycle" --collection photos'],
    related: ['multimodal-embeddings', 'cross-modal-search', 'cosine-similarity'],
    links: ['docs/your-documents.md#text-without-a-file', 'docs/models-and-costs.md#the-catalogue'],
  },
];
