// flowrag://schema: the types and fields the graph is made of.

import type { Resource } from '../tool.ts';

const URI = 'flowrag://schema';
const MIME = 'application/json';

export const schemaResource: Resource = {
  uri: URI,
  name: 'schema',
  title: 'Graph schema',
  description: 'Entity types, relation types and custom fields of the knowledge graph',
  mimeType: MIME,
  fixed: false,
  async read(_, { engine }) {
    const { entityTypes, relationTypes, documentFields, entityFields, relationFields, fallbackType } =
      engine.graph.schema();
    const schema = { entityTypes, relationTypes, documentFields, entityFields, relationFields, fallbackType };
    return { uri: URI, mimeType: MIME, text: JSON.stringify(schema, null, 2) };
  },
};
