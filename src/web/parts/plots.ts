// Three small plots of what the server measured of itself. Loaded only when the health view opens.

import uPlot from 'uplot';
import { colour } from '../core/theme.ts';

export interface MetricSample {
  /** Milliseconds since 1970. */
  at: number;
  requests: number;
  failed: number;
  refused: number;
  p50?: number;
  p95?: number;
  memory: number;
}

export interface Plots {
  update(samples: readonly MetricSample[], every: number): void;
}

const HEIGHT = 180;
/** A server that has just started still has an axis to read. */
const MIN_SPAN = 120;

export function createPlots(places: Record<'requests' | 'latency' | 'memory', HTMLElement>): Plots {
  const ink = {
    ...{ accent: colour('--accent'), muted: colour('--muted') },
    ...{ grid: colour('--line'), bad: colour('--bad') },
  };
  const line = (stroke: string, width = 2): uPlot.Series => ({
    stroke,
    width,
    spanGaps: false,
    points: { show: true, size: 4, fill: stroke },
  });
  const bars = (fill: string): uPlot.Series => ({
    width: 0,
    fill,
    paths: uPlot.paths.bars!({ size: [0.8, 24] }),
    points: { show: false },
  });
  const make = (place: HTMLElement, series: uPlot.Series[], unit: (value: number) => string): uPlot =>
    new uPlot(
      {
        height: HEIGHT,
        width: widthOf(place),
        legend: { show: false },
        cursor: { show: false },
        axes: [
          {
            stroke: ink.muted,
            grid: { show: false },
            ticks: { show: false },
            space: 80,
            size: 28,
            values: (_plot, seconds) => seconds.map(clock),
          },
          {
            stroke: ink.muted,
            grid: { stroke: ink.grid, width: 1 },
            ticks: { show: false },
            size: 58,
            values: (_plot, values) => values.map(unit),
          },
        ],
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, (max || 1) * 1.15)] } },
        series: [{}, ...series],
      },
      [[], ...series.map(() => [])] as unknown as uPlot.AlignedData,
      place,
    );
  const plain = (value: number): string => (value >= 1000 ? `${value / 1000}k` : String(value));
  const drawn = {
    requests: make(places.requests, [bars(ink.accent), bars(ink.bad)], plain),
    latency: make(places.latency, [line(ink.accent), line(ink.muted)], (value) =>
      value >= 1000 ? `${value / 1000} s` : `${value} ms`,
    ),
    memory: make(places.memory, [line(ink.accent)], (value) => `${Math.round(value)} MB`),
  };
  const resize = new ResizeObserver(() => {
    for (const [name, plot] of Object.entries(drawn))
      plot.setSize({ width: widthOf(places[name as keyof typeof places]), height: HEIGHT });
  });
  resize.observe(places.requests);

  return {
    update(samples, every) {
      const times = samples.map((one) => one.at / 1000);
      const max = times.at(-1) ?? Date.now() / 1000;
      const min = Math.min(times[0] ?? max, max - MIN_SPAN);
      const minute = 60 / every;
      const set = (plot: uPlot, ...values: (number | null)[][]): void => {
        plot.setData([times, ...values], false);
        plot.setScale('x', { min: min - every / 2, max: max + every / 2 });
      };
      set(
        drawn.requests,
        samples.map((one) => one.requests * minute),
        samples.map((one) => (one.failed + one.refused) * minute || null),
      );
      set(
        drawn.latency,
        samples.map((one) => one.p50 ?? null),
        samples.map((one) => one.p95 ?? null),
      );
      set(
        drawn.memory,
        samples.map((one) => one.memory / 1_000_000),
      );
    },
  };
}

const clock = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

const widthOf = (place: HTMLElement): number => Math.max(200, place.clientWidth);
