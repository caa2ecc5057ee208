// The Gemini API as a service. The key travels in a header, never in a URL, so that it reaches no log.

import { VaiError } from '../../domain/errors.ts';
import { withoutTrailing } from '../../domain/text.ts';
import type { Service } from '../shared/http.ts';

const PUBLIC = 'https://generativelanguage.googleapis.com';

export function geminiService(apiKey: string, base: string | undefined): Service {
  return {
    name: 'The Gemini API',
    base: checkedBase(base ?? PUBLIC),
    headers: { 'x-goog-api-key': apiKey },
    missing: apiKey === '' ? 'a key' : undefined,
    inFlight: 2,
    timeoutMs: 60_000,
    hints: {
      key: 'Set GEMINI_API_KEY in the environment, with `vai config set gemini-api-key`, or in the .env file of a trusted project.',
      model: 'Check the model name in the config, and its dimensions.',
      address: 'Leave GEMINI_API_BASE unset to use the public API.',
    },
  };
}

/** The address may be changed for a proxy or a test, but never to plain HTTP on another machine. */
function checkedBase(base: string): string {
  const url = URL.parse(base);
  const loopback = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !loopback)) {
    throw new VaiError('CONFIG_INVALID', 'GEMINI_API_BASE is not an https address.', {
      hint: 'Leave it unset to use the public API.',
    });
  }
  return withoutTrailing(base, '/');
}
