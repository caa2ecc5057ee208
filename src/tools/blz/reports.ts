// Reports for a person: plain lines, the same in a terminal and in an answer.

import type {
  HistoryEvent,
  OutlineEntry,
  SourceDetails,
  StatsReport,
  ValidateReport,
} from '../../engine/docs/types.ts';
import { count, plural } from '../shared/text.ts';

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

function age(days: number): string {
  return days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`;
}

export function statsText(stats: StatsReport, source?: string): string {
  const average = stats.averageSearchMs;
  const shown = source === undefined ? stats.sources : stats.sources.filter((one) => same(one.alias, source));
  return [
    `Total sources: ${count(stats.totalSources)}`,
    `Total indexed lines: ${count(stats.totalLines)}`,
    `Total headings: ${count(stats.totalHeadings)}`,
    `Index size: ${size(stats.indexBytes)}`,
    `Cache size: ${size(stats.cacheBytes)}`,
    `Average search time: ${average === null ? 'no search in this process yet; a server counts its own' : `${average} ms over ${plural(stats.searches, 'search', 'searches')}`}`,
    ...shown.map(
      (one) => `${one.alias}: ${plural(one.lines, 'line')}, ${size(one.bytes)}, ${age(one.ageDays)}`,
    ),
  ].join('\n');
}

export function historyText(events: readonly HistoryEvent[]): string {
  if (events.length === 0) return 'No updates are recorded.';
  return events.map(historyLine).join('\n');
}

function historyLine(event: HistoryEvent): string {
  const change = (before: number | undefined, after: number | undefined, what: string): string =>
    before === undefined && after === undefined
      ? ''
      : `${before === undefined ? '' : `${count(before)} → `}${after === undefined ? `? ${what}s` : plural(after, what)}`;
  const parts = [
    change(event.linesBefore, event.linesAfter, 'line'),
    change(event.headingsBefore, event.headingsAfter, 'heading'),
    event.bytes === undefined ? '' : size(event.bytes),
    event.message ?? '',
  ].filter(Boolean);
  const name = event.path ? `${event.collection}/${event.path}` : event.collection;
  return `${event.at}  ${name}  ${event.result}${parts.length ? `  ${parts.join(', ')}` : ''}`;
}

export function listText(sources: readonly SourceDetails[]): string {
  if (sources.length === 0) return 'No sources are installed. Add one with: blz add <alias> [url]';
  return sources
    .map((one) =>
      [
        one.alias,
        one.title,
        one.url ?? one.location ?? '-',
        `${one.fetchedAt}${one.stale ? ' (stale)' : ''}`,
        plural(one.metadata.totalLines, 'line'),
      ].join('  '),
    )
    .join('\n');
}

export function validateText(reports: readonly ValidateReport[]): string {
  if (reports.length === 0) return 'No sources are installed.';
  return reports
    .map((report) => {
      const head = `${report.alias}: ${report.status}, checksum ${report.checksum_matches ? 'matches' : 'differs'}, checked ${age(report.days_since_update)}${report.days_since_update > 0 ? ' ago' : ''}`;
      return [head, ...report.issues.map((issue) => `  - ${issue}`)].join('\n');
    })
    .join('\n');
}

export function inspectText(sources: readonly SourceDetails[], outline: readonly OutlineEntry[]): string {
  if (sources.length === 0) return 'No sources are installed.';
  const texts = sources.map((source) => {
    const fields: [string, string | undefined][] = [
      ['Title', source.title],
      ['URL', source.url ?? source.location ?? '-'],
      ['Variant', source.variant],
      ['Category', source.category],
      ['Fetched', `${source.fetchedAt}${source.stale ? ' (stale)' : ''}`],
      ['Changed', source.lastUpdated],
      ['ETag', source.etag],
      ['Checksum', source.sha256],
      [
        'Size',
        `${size(source.bytes)}, ${plural(source.metadata.totalLines, 'line')}, ${plural(source.metadata.headings, 'heading')}`,
      ],
      [
        'Index',
        `${plural(source.documents, 'document')}, ${plural(source.chunks, 'chunk')}, ${plural(source.vectors, 'vector')}`,
      ],
    ];
    return [
      source.alias,
      ...fields.filter(([, value]) => value).map(([name, value]) => `  ${name}: ${value}`),
      ...source.diagnostics.map((notice) => `  Notice: ${notice}`),
    ].join('\n');
  });
  if (outline.length > 0) texts.push(['Outline:', ...outline.map(outlineLine)].join('\n'));
  return texts.join('\n');
}

export function outlineLine(entry: OutlineEntry): string {
  const depth = entry.headingPath.length;
  const place = entry.path ? `${entry.path}:` : '';
  return `${'  '.repeat(depth)}${entry.headingPath.at(-1)}  [${place}${entry.sectionLines}]`;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
