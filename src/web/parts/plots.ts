// Two small plots of the page's own requests. Loaded only when the health view opens.

import uPlot from 'uplot';
import { perBucket, type Sample } from '../core/measure.ts';

/** The window grows with what there is to show, within these bounds. */
const MIN_SPAN_MS = 30_000;
const MAX_SPAN_MS = 300_000;
const BUCKETS = 30;
const HEIGHT = 200;

export interface Plots {
  /** Seconds each bar stands for. */
  update(samples: readonly Sample[], now: number): number;
}

export function createPlots(latency: HTMLElement, rate: HTMLElement): Plots {
  const ink = colours(latency);
  const axes = (more: Partial<uPlot.Axis> = {}): uPlot.Axis[] => [
    {
      stroke: ink.muted,
      grid: { show: false },
      ticks: { show: false },
      space: 90,
      size: 30,
      values: (_plot, seconds) => seconds.map(clock),
    },
    {
      stroke: ink.muted,
      grid: { stroke: ink.grid, width: 1 },
      ticks: { show: false },
      size: 52,
      ...more,
    },
  ];
  const common = { height: HEIGHT, legend: { show: false }, cursor: { show: false } } as const;
  const times = new uPlot(
    {
      ...common,
      width: width(latency),
      axes: axes({ splits: (_plot, _axis, min, max) => powers(min, max) }),
      scales: {
        y: {
          distr: 3,
          range: (_plot, _min, max) => [1, 10 ** Math.ceil(Math.log10(Math.max(11, max || 1)))],
        },
      },
      series: [
        {},
        {
          label: 'ok',
          stroke: ink.accent,
          paths: () => null,
          points: { show: true, size: 6, fill: ink.accent },
        },
        {
          label: 'failed',
          stroke: ink.bad,
          paths: () => null,
          points: { show: true, size: 7, fill: ink.bad },
        },
      ],
    },
    [[], [], []],
    latency,
  );
  const rates = new uPlot(
    {
      ...common,
      width: width(rate),
      axes: axes(),
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, (max || 1) * 1.15)] } },
      series: [
        {},
        {
          label: 'requests',
          width: 0,
          fill: ink.accent,
          paths: uPlot.paths.bars!({ size: [0.7, 40], align: -1 }),
          points: { show: false },
        },
      ],
    },
    [[], []],
    rate,
  );
  const resize = new ResizeObserver(() => {
    times.setSize({ width: width(latency), height: HEIGHT });
    rates.setSize({ width: width(rate), height: HEIGHT });
  });
  resize.observe(latency);
  return {
    update(samples, now) {
      const span = Math.min(MAX_SPAN_MS, Math.max(MIN_SPAN_MS, now - (samples[0]?.at ?? now)));
      const bucketMs = Math.ceil(span / BUCKETS / 1000) * 1000;
      const buckets = perBucket(samples, { now, bucketMs, buckets: BUCKETS });
      const max = buckets.times.at(-1)!;
      const min = max - (bucketMs * BUCKETS) / 1000;
      const recent = samples.filter((sample) => sample.at / 1000 >= min);
      const of = (ok: boolean): (number | null)[] =>
        recent.map((sample) => (sample.ok === ok ? Math.max(1, sample.ms) : null));
      times.setData([recent.map((sample) => sample.at / 1000), of(true), of(false)], false);
      times.setScale('x', { min, max });
      rates.setData([buckets.times, buckets.requests.map((count) => count || null)], false);
      rates.setScale('x', { min, max });
      return bucketMs / 1000;
    },
  };
}

const clock = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

const powers = (min: number, max: number): number[] =>
  [1, 10, 100, 1_000, 10_000, 100_000].filter((value) => value >= min && value <= max);

const width = (place: HTMLElement): number => Math.max(200, place.clientWidth);

function colours(element: HTMLElement) {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    accent: read('--accent'),
    soft: read('--accent-soft'),
    muted: read('--muted'),
    grid: read('--line'),
    bad: read('--bad'),
  };
}
