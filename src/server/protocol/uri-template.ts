// Matching of resource URIs against `{name}` (one segment) and `{+name}` (any rest) templates. Linear: variables are
// separated by the literal text between them, and the URI is bounded before it gets here.

const MAX_URI_LENGTH = 2_048;

export interface UriTemplate {
  isTemplate: boolean;
  /** Undefined when the URI does not match. */
  match(uri: string): Record<string, string> | undefined;
}

export function compileUri(template: string): UriTemplate {
  const variables: string[] = [];
  const source = template.replace(
    /[.*?^$()|[\]\\]|\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}|[{}+]/g,
    (part, plus, name) => {
      if (typeof name !== 'string') return `\\${part}`;
      variables.push(name);
      return plus ? '(.+)' : '([^/?#]+)';
    },
  );
  const pattern = new RegExp(`^${source}$`, 's');
  return {
    isTemplate: variables.length > 0,
    match(uri) {
      if (uri.length > MAX_URI_LENGTH) return undefined;
      const found = pattern.exec(uri);
      if (!found) return undefined;
      const values: Record<string, string> = {};
      for (const [index, name] of variables.entries()) {
        const value = decode(found[index + 1] ?? '');
        if (value === undefined) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
