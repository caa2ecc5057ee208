// What a key, a token or a call may be allowed to do, in this order.

export const SCOPES = ['read', 'write', 'admin'] as const;
export type AccessScope = (typeof SCOPES)[number];

export function isScope(value: unknown): value is AccessScope {
  return (SCOPES as readonly unknown[]).includes(value);
}
