// TLS in the process: the certificate is read at start, and again whenever its files change, so that a renewed one needs
// no restart. One that cannot be used leaves the last good one in place.

import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { VaiError } from '../../domain/errors.ts';
import type { Log } from '../log.ts';

export interface TlsFiles {
  /** PEM, with the certificates that lead to a known authority. */
  cert: string;
  key: string;
}

/** Files are looked at, not watched: renewal tools exchange links and folders, which watching misses. */
const LOOK_EVERY_MS = 5_000;

export function readCertificate({ cert, key }: TlsFiles): SecureContextOptions {
  try {
    const options = { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' } as const;
    // Tells a key that does not belong to its certificate.
    createSecureContext(options);
    return options;
  } catch (error) {
    throw new VaiError('CONFIG_INVALID', `The TLS certificate cannot be used: ${reasonOf(error)}.`, {
      hint: 'Give --tls-cert the full chain and --tls-key its key, both as PEM files this user may read.',
      cause: error,
    });
  }
}

/** Calls back with a new certificate that can be used; returns what ends it. */
export function watchCertificate(
  files: TlsFiles,
  use: (options: SecureContextOptions) => void,
  log: Log,
  everyMs = LOOK_EVERY_MS,
): () => void {
  let seen = fingerprint(files);
  const look = (): void => {
    const now = fingerprint(files);
    if (now === seen) return;
    seen = now;
    try {
      use(readCertificate(files));
      log.info('the TLS certificate was reloaded');
    } catch (error) {
      // The other half of the pair may not be written yet: the next check sees both.
      log.warn('the TLS certificate could not be reloaded; the old one stays in use', {
        message: (error as Error).message,
      });
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

function fingerprint({ cert, key }: TlsFiles): string {
  return [cert, key]
    .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .map((found) => (found ? `${found.ino}.${found.size}.${found.mtimeNs}` : 'absent'))
    .join(' ');
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'a file is not there';
  if (code === 'EACCES') return 'a file may not be read';
  return code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
    ? 'the key belongs to another certificate'
    : 'a file is not what it should be';
}
