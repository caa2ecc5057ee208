// Follows a link index to its pages: bounded in number, bytes and time, a few requests at once, Markdown first. A page
// that cannot be had is named in a notice and costs nothing else; an index none of whose pages can be had is an error.

import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import { looksLikeHtml, textOf } from './content.ts';
import { visit } from './follow.ts';
import { htmlToMarkdown } from './html.ts';
import { joinPages, pagesOf, type IndexLink, type JoinedPage } from './linkindex.ts';
import type { WebSettings } from './options.ts';
import { shown, type Connections } from './request.ts';
import { pageVariants, ruleOf } from './variants.ts';

export interface PagesOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number | undefined, message: string) => void;
  connections: Connections;
}

export interface Pages {
  text: string;
  bytes: number;
  notices: string[];
}

/** A Markdown rule that failed this often without ever working is not tried again on this site. */
const GIVE_UP_AFTER = 4;

export async function followIndex(
  index: { url: string; text: string },
  options: PagesOptions,
  settings: WebSettings,
): Promise<Pages> {
  const { pages, offSite } = pagesOf(index.text, index.url);
  const wanted = pages.slice(0, settings.maxPages);
  const notices: string[] = [];
  if (pages.length > wanted.length)
    notices.push(`The index names ${pages.length} pages; the first ${wanted.length} were taken.`);
  if (offSite > 0) notices.push(`${offSite} links to other sites were not followed.`);
  const walk = createWalk(options, settings);
  const found = await walk.all(wanted);
  if (found.length === 0) {
    throw (
      walk.failures[0]?.error ??
      new VaiError('NOT_DOCUMENTATION', `${shown(index.url)} names no page of its own site.`, {
        hint: 'Give the address of an llms-full.txt or of a Markdown file.',
      })
    );
  }
  if (walk.failures.length > 0) notices.push(failureNotice(walk.failures));
  const text = joinPages(found);
  return { text, bytes: Buffer.byteLength(text), notices };
}

interface Failure {
  url: string;
  error: VaiError;
}

function createWalk(options: PagesOptions, settings: WebSettings) {
  const deadline = AbortSignal.timeout(settings.pagesMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const failures: Failure[] = [];
  const rules = new Map<string, { worked: boolean; failed: number }>();
  let bytes = 0;

  async function one(link: IndexLink): Promise<JoinedPage | undefined> {
    let last: VaiError | undefined;
    for (const url of pageVariants(link.url)) {
      const rule = rules.get(ruleOf(link.url, url)) ?? { worked: false, failed: 0 };
      rules.set(ruleOf(link.url, url), rule);
      if (url !== link.url && !rule.worked && rule.failed >= GIVE_UP_AFTER) continue;
      try {
        const page = await readPage(url, url === link.url);
        rule.worked = true;
        bytes += Buffer.byteLength(page.text);
        if (bytes > settings.maxBytes)
          throw new VaiError('TOO_LARGE', 'The pages of this index are larger than the limit together.', {
            hint: 'Raise BLZ_MAX_BYTES if you trust this source.',
          });
        return { url: link.url, title: link.title || page.title, text: page.text };
      } catch (thrown) {
        rule.failed += 1;
        last = toVaiError(thrown);
        if (last.code === 'TOO_LARGE' || last.code === 'OFFLINE') throw last;
        throwIfAborted(options.signal);
        if (deadline.aborted) break;
      }
    }
    if (last) failures.push({ url: link.url, error: last });
    return undefined;
  }

  async function readPage(url: string, mayBeHtml: boolean): Promise<{ title: string; text: string }> {
    const answer = await visit(
      url,
      { signal, connections: options.connections, maxBytes: Math.min(settings.maxBytes, 20 * 1024 * 1024) },
      settings,
    );
    if (answer.status !== 200) throw new VaiError('FETCH_FAILED', `${shown(url)} answered ${answer.status}.`);
    const type = answer.headers['content-type'] ?? '';
    if (!mayBeHtml || !looksLikeHtml(type, answer.body))
      return { title: '', text: textOf(url, type, answer.body).text };
    const page = htmlToMarkdown(answer.body.toString('utf8'));
    if (page.text.length < 80)
      throw new VaiError('NOT_DOCUMENTATION', `${shown(url)} is an HTML page without text.`);
    return page;
  }

  async function all(links: readonly IndexLink[]): Promise<JoinedPage[]> {
    const results = new Array<JoinedPage | undefined>(links.length);
    let next = 0;
    let done = 0;
    const worker = async (): Promise<void> => {
      while (next < links.length && !deadline.aborted) {
        const at = next++;
        results[at] = await one(links[at]!);
        options.onProgress?.(++done, links.length, 'Fetching pages');
      }
    };
    await Promise.all(Array.from({ length: Math.min(settings.concurrency, links.length) }, worker));
    return results.filter((page) => page !== undefined);
  }

  return { all, failures };
}

function failureNotice(failures: readonly Failure[]): string {
  const examples = failures.slice(0, 3).map((failure) => `${shown(failure.url)} (${failure.error.message})`);
  return `${failures.length} pages could not be read, for example ${examples.join('; ')}`;
}
