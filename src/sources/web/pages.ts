// Follows a link index to its pages: bounded in number, bytes and time, a few requests at once, Markdown first. A page
// that cannot be had keeps the text it had and is named in a notice; one that is gone goes. An index none of whose pages
// can be had is an error.

import type { FetchState, PageHealth, PageStamps, Stamps } from '../../ports/source.ts';
import { atMost } from '../../domain/few-at-a-time.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import { plural } from '../../domain/text.ts';
import { looksLikeHtml, textOf } from './content.ts';
import { visit } from './follow.ts';
import { joinSections, pagesOf, pageText, type IndexLink } from './linkindex.ts';
import type { WebSettings } from './options.ts';
import { readAnyHtml } from './site-page.ts';
import { shown, type Connections } from './request.ts';
import { conditions, stampsOf } from './stamps.ts';
import { pageVariants, ruleOf } from './variants.ts';

export interface PagesOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number | undefined, message: string) => void;
  connections: Connections;
  previous?: Pick<FetchState, 'pages' | 'pageStamps'>;
}

export interface Pages {
  text: string;
  bytes: number;
  stamps: PageStamps;
  health: PageHealth;
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
    notices.push(`The index lists ${pages.length} pages; only the first ${wanted.length} were read.`);
  if (offSite > 0)
    notices.push(
      `${offSite === 1 ? '1 link to another site was' : `${offSite} links to other sites were`} not followed.`,
    );
  const walk = createWalk(options, settings);
  const read = await walk.all(wanted);
  if (read.every((page) => page === undefined)) {
    throw (
      walk.failures[0]?.error ??
      new VaiError('NOT_DOCUMENTATION', `${shown(index.url)} names no page of its own site.`, {
        hint: 'Give the address of an llms-full.txt or of a Markdown file.',
      })
    );
  }
  const before = options.previous?.pages ?? new Map<string, string>();
  const sections = wanted.map(
    ({ url }, at) => read[at]?.section ?? (walk.gone.has(url) ? undefined : before.get(url)),
  );
  if (walk.failures.length > 0) notices.push(failureNotice(walk.failures));
  if (before.size > 0) notices.push(summary(wanted, { read, sections, before }));
  const kept = sections.filter((section) => section !== undefined);
  const text = joinSections(kept);
  const stamps = wanted.flatMap(({ url }, at) => (read[at] ? [[url, read[at].stamps] as const] : []));
  return {
    text,
    bytes: Buffer.byteLength(text),
    stamps: Object.fromEntries(stamps),
    health: {
      total: wanted.length,
      // What the server says is not there, nobody waits for.
      failed: walk.failures.filter(({ url }) => !walk.gone.has(url)).length,
      pending: pages.length - wanted.length,
    },
    notices,
  };
}

interface ReadPage {
  /** As it stands in the joined text. */
  section: string;
  stamps: Stamps & { from: string };
}

interface Failure {
  url: string;
  error: VaiError;
}

function createWalk(options: PagesOptions, settings: WebSettings) {
  const deadline = AbortSignal.timeout(settings.pagesMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const failures: Failure[] = [];
  /** The server says that there is no such page, so nothing is waited for. */
  const gone = new Set<string>();
  const rules = new Map<string, { worked: boolean; failed: number }>();
  let bytes = 0;

  async function one(link: IndexLink): Promise<ReadPage | undefined> {
    const known = options.previous?.pageStamps?.[link.url];
    const section = options.previous?.pages?.get(link.url);
    let last: VaiError | undefined;
    // Where it was found the last time comes first, and only there can it be unchanged.
    const places = pageVariants(link.url);
    const ordered = known && places.includes(known.from) ? [known.from, ...places] : places;
    for (const url of new Set(ordered)) {
      const rule = rules.get(ruleOf(link.url, url)) ?? { worked: false, failed: 0 };
      rules.set(ruleOf(link.url, url), rule);
      if (url !== link.url && !rule.worked && rule.failed >= GIVE_UP_AFTER) continue;
      try {
        const again = section !== undefined && known?.from === url;
        const page = await readPage(url, { mayBeHtml: url === link.url, known: again ? known : undefined });
        rule.worked = true;
        const stamps = { ...page.stamps, from: url };
        if (page.text === undefined) return { section: section!, stamps: { ...known, ...stamps } };
        bytes += Buffer.byteLength(page.text);
        if (bytes > settings.maxBytes)
          throw new VaiError('TOO_LARGE', 'The pages of this index are larger than the limit together.', {
            hint: 'Raise BLZ_MAX_BYTES if you trust this source.',
          });
        const title = link.title || page.title;
        return { section: pageText({ url: link.url, title, text: page.text }), stamps };
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

  /** No text where the server says that it is what it was. */
  async function readPage(
    url: string,
    { mayBeHtml, known }: { mayBeHtml: boolean; known: Stamps | undefined },
  ): Promise<{ title: string; text?: string; stamps: Stamps }> {
    const maxBytes = Math.min(settings.maxBytes, 20 * 1024 * 1024);
    const headers = conditions(known);
    const answer = await visit(
      url,
      { signal, headers, connections: options.connections, maxBytes },
      settings,
    );
    const stamps = stampsOf(answer);
    if (answer.status === 304 && known) return { title: '', stamps };
    if (answer.status === 404 || answer.status === 410) gone.add(url);
    if (answer.status !== 200) throw new VaiError('FETCH_FAILED', `${shown(url)} answered ${answer.status}.`);
    const type = answer.headers['content-type'] ?? '';
    if (!mayBeHtml || !looksLikeHtml(type, answer.body))
      return { title: '', text: textOf(url, type, answer.body).text, stamps };
    const { title, text } = await readAnyHtml(answer.body.toString('utf8'), settings.readHtml, signal);
    if (text.length < 80)
      throw new VaiError('NOT_DOCUMENTATION', `${shown(url)} is an HTML page without text.`);
    return { title, text, stamps };
  }

  /** A page in each link's place; undefined where there is none. */
  async function all(links: readonly IndexLink[]): Promise<(ReadPage | undefined)[]> {
    let done = 0;
    return atMost(settings.concurrency, links, async (link) => {
      if (deadline.aborted) return undefined;
      const page = await one(link);
      options.onProgress?.(++done, links.length, 'Fetching pages');
      return page;
    });
  }

  return { all, failures, gone };
}

/** What became of the pages since the last time. */
function summary(
  wanted: readonly IndexLink[],
  {
    read,
    sections,
    before,
  }: {
    read: readonly unknown[];
    sections: readonly (string | undefined)[];
    before: ReadonlyMap<string, string>;
  },
): string {
  const count = { unchanged: 0, changed: 0, new: 0, kept: 0, failed: 0 };
  for (const [at, { url }] of wanted.entries()) {
    const section = sections[at];
    const old = before.get(url);
    if (section === undefined) count.failed += old === undefined ? 1 : 0;
    else if (read[at] === undefined) count.kept += 1;
    else if (old === undefined) count.new += 1;
    else count[old === section ? 'unchanged' : 'changed'] += 1;
  }
  const present = new Set(wanted.filter((_, at) => sections[at] !== undefined).map(({ url }) => url));
  const gone = [...before.keys()].filter((url) => !present.has(url)).length;
  return (
    `Pages: ${count.unchanged} unchanged, ${count.changed} changed, ${count.new} new, ${gone} gone, ` +
    `${count.kept} kept as they were because they could not be read, ${count.failed} failed.`
  );
}

function failureNotice(failures: readonly Failure[]): string {
  const examples = failures.slice(0, 3).map((failure) => `${shown(failure.url)} (${failure.error.message})`);
  return `${plural(failures.length, 'page')} could not be read, for example ${examples.join('; ')}`;
}
