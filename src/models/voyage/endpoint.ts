// Which address a key belongs to: keys issued by Atlas and keys issued by Voyage are served by different hosts.

import { withoutTrailing } from '../../domain/text.ts';

export const ATLAS_BASE = 'https://ai.mongodb.com/v1';
export const VOYAGE_BASE = 'https://api.voyageai.com/v1';

/** An address the user set wins (gateways); otherwise the key's prefix decides, and unknown kinds go to Atlas. */
export function voyageBase(key: string, override?: string): string {
  if (override) return withoutTrailing(override, '/');
  return key.startsWith('pa-') ? VOYAGE_BASE : ATLAS_BASE;
}

/** A key sent to the other issuer's host will be refused: worth a warning, never a refusal. */
export function endpointWarning(key: string, override?: string): string | undefined {
  if (!override) return undefined;
  const base = voyageBase(key, override);
  const foreign =
    (key.startsWith('pa-') && base === ATLAS_BASE) || (key.startsWith('al-') && base === VOYAGE_BASE);
  return foreign
    ? 'The Voyage key and VOYAGE_API_BASE belong to different issuers (pa- keys: Voyage, al- keys: Atlas).'
    : undefined;
}
