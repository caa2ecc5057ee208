// Plain objects, as they come from JSON, YAML or TOML.

export type JsonRecord = Record<string, unknown>;

/** Neither a list nor null. */
export function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function record(value: unknown): JsonRecord {
  return isObject(value) ? value : {};
}

/** What is found by following keys from object to object; undefined where the way ends. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => record(inner)[key], value);
}

/** The objects of a list. */
export function records(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
