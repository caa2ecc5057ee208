// Filters: a bounded, allow-listed subset of MongoDB's query language, parsed once and meant the same by every store.
// A path names a field of the chunk as the seed shapes it: `source`, `metadata.<key>`.

export type Scalar = string | number | boolean | null;

export type Filter =
  | { op: 'and' | 'or' | 'nor'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; path: string; value: Scalar }
  | { op: 'in' | 'nin'; path: string; values: Scalar[] }
  | { op: 'exists'; path: string; value: boolean };
