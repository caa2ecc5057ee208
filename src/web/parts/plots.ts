// Two small plots of the page's own requests. Loaded only when the health view opens.

import uPlot from 'uplot';
import { perBucket, type Sample } from '../core/measure.ts';

const BUCKET_MS = 10_000;
const BUCKETS = 30;
const HEIGHT = 200;

export interface Plots {
  update(samples: readonly Sample[], now: number): void;
}

export function createPlots(latency: HTMLElement, rate: HTMLElement): Plots {
  const ink = colours(latency);
  const axes = (unit: string): uPlot.Axis[] => [
    { stroke: ink.muted, grid: { stroke: ink.grid, width: 1 }, ticks: { show: false } },
    {
      stroke: ink.muted,
      grid: { stroke: ink.grid, width: 1 },
      ticks: { show: false },
      size: 52,
      values: (_plot, values) => values.map((value) => (value === null ? '' : `${value}${unit}`)),
    },
  ];
  const common = { height: HEIGHT, legend: { show: false }, cursor: { show: false } } as const;
  const times = new uPlot(
    {
      ...common,
      width: width(latency),
      axes: axes(''),
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(10, (max || 1) * 1.15)] } },
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
      axes: axes(''),
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, (max || 1) * 1.15)] } },
      series: [
        {},
        {
          label: 'requests',
          stroke: ink.accent,
          fill: ink.soft,
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
      const end = now / 1000;
      const start = end - (BUCKET_MS * BUCKETS) / 1000;
      const recent = samples.filter((sample) => sample.at / 1000 >= start);
      const of = (ok: boolean): (number | null)[] =>
        recent.map((sample) => (sample.ok === ok ? sample.ms : null));
      times.setData([recent.map((sample) => sample.at / 1000), of(true), of(false)], false);
      times.setScale('x', { min: start, max: end });
      const buckets = perBucket(samples, { now, bucketMs: BUCKET_MS, buckets: BUCKETS });
      rates.setData([buckets.times, buckets.requests], false);
      rates.setScale('x', { min: start, max: buckets.times.at(-1) ?? end });
    },
  };
}

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
