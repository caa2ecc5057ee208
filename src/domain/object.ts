// Whether a value is a plain object, as from JSON: neither a list nor null.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
