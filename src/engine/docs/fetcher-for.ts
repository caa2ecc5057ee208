// What a caller may learn about a refused address. Whether a host name is unknown or leads to a private network reveals
// something about that network, so only the user of this machine is told.

import { VaiError } from '../../domain/errors.ts';
import type { DocumentationFetcher } from '../../ports/source.ts';
import { LOCAL, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';

export function fetcherFor({ fetcher }: Pick<EngineDeps, 'fetcher'>, call: Call): DocumentationFetcher {
  if (call.principal.id !== LOCAL.id) return fetcher;
  return {
    fetch: (...given) => fetcher.fetch(...given).catch(explain),
    fetchFolder: (...given) => fetcher.fetchFolder(...given).catch(explain),
  };
}

interface FailedLookup extends Error {
  syscall?: string;
  hostname?: string;
}

function explain(thrown: unknown): never {
  const cause = thrown instanceof VaiError ? (thrown.cause as FailedLookup | undefined) : undefined;
  if (cause?.syscall !== 'getaddrinfo') throw thrown;
  throw new VaiError('FETCH_FAILED', `The name ${cause.hostname} could not be looked up.`, {
    hint: 'Check the address, and whether this machine is online.',
    cause,
  });
}
