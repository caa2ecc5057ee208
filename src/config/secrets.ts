// How a secret is printed: enough to recognise it, too little to use it.

/** First four and last four characters; under ten characters nothing at all. */
export function maskSecret(value: string): string {
  return value.length < 10 ? '****' : `${value.slice(0, 4)}…${value.slice(-4)}`;
}

const SECRET_NAME = /key|secret|token|password|passwd|credential|uri$|authorization|sha-?256|hash|private/i;

/** Masks every text below a value whose name speaks of a secret, and every text that holds a password in a URL. */
export function maskValue(name: string, value: unknown, secret = SECRET_NAME.test(name)): unknown {
  if (typeof value === 'string') return secret || /:\/\/[^/\s]*@/.test(value) ? maskSecret(value) : value;
  if (Array.isArray(value))
    return value.map((item) => maskValue(name, item, secret && typeof item === 'string'));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(key, item)]));
  }
  return value;
}
