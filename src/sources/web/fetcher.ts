// The documentation fetcher: tries the addresses a URL stands for, asks conditionally when it has been there before,
// refuses what is not documentation, and follows a link index without a full file to its pages. It stores nothing.

import { hash } from 'node:crypto';
import { VaiError } from '../../domain/errors.ts';
import { addressKind } from '../../domain/source-address.ts';
import type { DocumentationFetcher, Fetched, FetchOptions, Stamps } from '../../ports/source.ts';
import { fileNameOf, textOf } from './content.ts';
import { visit } from './follow.ts';
import { fetchRepository } from './github.ts';
import { isLinkIndex, titleOf } from './linkindex.ts';
import { webSettings, type WebOptions, type WebSettings } from './options.ts';
import { followIndex } from './pages.ts';
import { checkUrl, openConnections, shown, type Answer, type Connections } from './request.ts';
import { conditions, stampsOf } from './stamps.ts';
import { fetchSite } from './site.ts';
import { candidates, siblingOf, variantOf } from './variants.ts';

export function createFetcher(options: WebOptions): DocumentationFetcher {
  const settings = webSettings(options);
  const connected = async <T>(work: (connections: Connections) => Promise<T>): Promise<T> => {
    const connections = openConnections(settings.concurrency);
    try {
      return await work(connections);
    } finally {
      connections.close();
    }
  };
  return {
    async fetch(url, fetchOptions) {
      checkUrl(url, settings);
      return connected((connections) => fetchFirst(url, { ...fetchOptions, connections }, settings));
    },
    fetchFolder: (address, folderOptions) =>
      connected((connections) =>
        (addressKind(address) === 'website' ? fetchSite : fetchRepository)(
          address,
          { ...folderOptions, connections },
          settings,
        ),
      ),
  };
}

type Fetching = FetchOptions & { connections: Connections };

async function fetchFirst(url: string, options: Fetching, settings: WebSettings): Promise<Fetched> {
  const known = options.previous?.url;
  const list = candidates(url, options.fallback);
  // Where it was found last time comes first: one conditional request is then the whole refresh.
  if (known) list.unshift({ url: known, guess: false });
  const failures: { url: string; error: VaiError }[] = [];
  const tried = new Set<string>();
  for (const candidate of list) {
    if (tried.has(candidate.url)) continue;
    tried.add(candidate.url);
    try {
      const fetched = await fetchOne(candidate.url, candidate.url === known, options, settings);
      if (fetched.changed && !isGuessed(list, failures))
        fetched.notices.push(`${failures[0]!.error.message} Used ${shown(candidate.url)} instead.`);
      return fetched;
    } catch (thrown) {
      if (!(thrown instanceof VaiError) || !mayTryNext(thrown)) throw thrown;
      failures.push({ url: candidate.url, error: thrown });
    }
  }
  throw summary(url, failures);
}

/** Whether everything that failed was only a guess, of which the user need not hear. */
function isGuessed(
  list: readonly { url: string; guess: boolean }[],
  failures: readonly { url: string }[],
): boolean {
  return failures.every((failure) => list.some((one) => one.url === failure.url && one.guess));
}

/** A refused address, a switched-off network or a body over the limit is final; anything else may be had elsewhere. */
function mayTryNext(error: VaiError): boolean {
  return (
    error.code === 'FETCH_FAILED' || error.code === 'NOT_DOCUMENTATION' || error.code === 'SOURCE_NOT_FOUND'
  );
}

async function fetchOne(
  url: string,
  again: boolean,
  options: Fetching,
  settings: WebSettings,
): Promise<Fetched> {
  const index = again ? options.previous?.pageStamps?.[url] : undefined;
  const answer = await visit(
    url,
    {
      headers: again ? conditions(index ?? options.previous) : {},
      connections: options.connections,
      signal: options.signal,
    },
    settings,
  );
  const stamps = stampsOf(answer);
  if (answer.status === 304 && again) {
    if (index?.index === undefined) return { changed: false, url, ...kept(options.previous, stamps) };
    return followPages(
      { url, text: index.index, notices: [], stamps: kept(index, stamps) },
      options,
      settings,
    );
  }
  if (answer.status !== 200) throw statusError(url, answer);
  const contentType = answer.headers['content-type'] ?? '';
  const name = fileNameOf([url, answer.url], contentType, answer.body);
  if (name !== undefined) return fetchedFile({ url, name, contentType, again }, answer, options);
  const { text, notices } = textOf(url, contentType, answer.body);
  const variant = variantOf(answer.url) === 'custom' ? variantOf(url) : variantOf(answer.url);
  let full: string | undefined;
  if (variant === 'llms' && !(again && options.previous?.variant === 'llms') && isLinkIndex(text)) {
    const followed = options.previous?.variant === 'pages';
    full = followed ? undefined : siblingOf(url);
    if (!full || !(await isDocumentation(full, options, settings)))
      return followPages({ url, text, notices, stamps }, options, settings);
  }
  const sha256 = hash('sha256', text, 'hex');
  if (again && sha256 === options.previous?.sha256) return { changed: false, url, ...stamps };
  return {
    changed: true,
    url,
    variant,
    text,
    ...(full ? { full } : {}),
    sha256,
    bytes: answer.body.length,
    contentType,
    ...stamps,
    notices,
  };
}

/** Its bytes, unless they are those of last time; reading them is somebody else's. */
function fetchedFile(
  found: { url: string; name: string; contentType: string; again: boolean },
  { body, ...answer }: Answer,
  { previous }: Fetching,
): Fetched {
  const { url, name, contentType, again } = found;
  const sha256 = hash('sha256', body, 'hex');
  const stamps = stampsOf(answer);
  // The same bytes may have been stored as text, by a version that did not know their format.
  if (again && previous?.variant === 'file' && sha256 === previous.sha256)
    return { changed: false, url, ...stamps };
  return {
    changed: true,
    url,
    variant: 'file',
    file: { name, bytes: body },
    sha256,
    bytes: body.length,
    contentType,
    ...stamps,
    notices: [],
  };
}

/** Joins the pages of an index. They are asked for even if it is unchanged: each has validators of its own. */
async function followPages(
  index: { url: string; text: string; notices: string[]; stamps: Stamps },
  options: Fetching,
  settings: WebSettings,
): Promise<Fetched> {
  const pages = await followIndex(index, options, settings);
  const sha256 = hash('sha256', pages.text, 'hex');
  const own = { ...index.stamps, from: index.url, index: index.text };
  const followedPages = { pageStamps: { ...pages.stamps, [index.url]: own }, health: pages.health };
  if (sha256 === options.previous?.sha256)
    return { changed: false, url: index.url, notices: pages.notices, ...followedPages };
  const title = titleOf(index.text);
  return {
    changed: true,
    url: index.url,
    variant: 'pages',
    text: pages.text,
    sha256,
    bytes: pages.bytes,
    contentType: 'text/markdown',
    ...(title ? { title } : {}),
    ...followedPages,
    notices: [...index.notices, ...pages.notices],
  };
}

async function isDocumentation(url: string, options: Fetching, settings: WebSettings): Promise<boolean> {
  try {
    const answer = await visit(
      url,
      {
        method: 'HEAD',
        connections: options.connections,
        signal: options.signal,
      },
      { ...settings, retries: 0 },
    );
    return answer.status === 200 && !/html/i.test(answer.headers['content-type'] ?? 'text/html');
  } catch {
    return false;
  }
}

/** What a server leaves out when it says that nothing changed still holds. */
function kept({ etag, lastModified }: Stamps = {}, stamps: Stamps): Stamps {
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}), ...stamps };
}

function statusError(url: string, answer: Answer): VaiError {
  const message = `${shown(url)} answered ${answer.status}.`;
  const wait = Number(answer.headers['retry-after']);
  if (answer.status === 429 || answer.status === 503) {
    return new VaiError('FETCH_FAILED', message, {
      hint: 'The server asks to be left alone for a while; try again later.',
      data: { status: answer.status, ...(wait > 0 ? { retryAfterSeconds: wait } : {}) },
    });
  }
  return new VaiError('FETCH_FAILED', message, {
    hint: 'Check the address.',
    data: { status: answer.status },
  });
}

/** One error for everything that was tried: the most telling one first. */
function summary(url: string, failures: { url: string; error: VaiError }[]): VaiError {
  const telling = failures.find((one) => one.error.code === 'NOT_DOCUMENTATION') ?? failures[0]!;
  if (failures.length === 1) return telling.error;
  const tried = failures.map((one) => one.url);
  return new VaiError(
    telling.error.code,
    `No documentation was found at ${shown(url)}: ${telling.error.message} (${failures.length} addresses were tried.)`,
    {
      ...(telling.error.hint ? { hint: telling.error.hint } : {}),
      data: { ...telling.error.data, tried },
      cause: telling.error,
    },
  );
}
