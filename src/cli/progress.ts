// A bar with rate and time left, drawn on standard error of a terminal and nowhere else.

import type { Progress } from '../engine/call.ts';
import { clip } from '../tools/shared/text.ts';
import { printable, type StreamInfo } from './terminal.ts';

export interface Bar {
  update(progress: Progress): void;
  /** Removes the bar; what is printed next starts on a clean line. */
  end(): void;
}

const REDRAW_MS = 80;

export function createBar(
  stream: StreamInfo & { write(text: string): unknown },
  now: () => number = Date.now,
): Bar {
  if (!stream.isTTY) return { update() {}, end() {} };
  const started = now();
  let drawn = 0;
  let shown = false;
  return {
    update(progress) {
      const time = now();
      const last = progress.total !== undefined && progress.done >= progress.total;
      if (time - drawn < REDRAW_MS && !last) return;
      drawn = time;
      shown = true;
      stream.write(
        `\r\u001b[2K${renderBar(progress, (time - started) / 1000, Math.max(20, stream.columns ?? 80))}`,
      );
    },
    end() {
      if (shown) stream.write('\r\u001b[2K');
      shown = false;
    },
  };
}

/** One line, never wider than the terminal. */
export function renderBar(progress: Progress, seconds: number, columns: number): string {
  const { done, total, message } = progress;
  const rate = seconds > 0 ? done / seconds : 0;
  const parts: string[] = [];
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total);
    const width = Math.max(6, Math.min(30, Math.floor(columns / 4)));
    const filled = Math.round(share * width);
    parts.push(`${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor(share * 100)}%`);
    parts.push(`${done}/${total}`);
  } else parts.push(`${done}`);
  if (rate > 0) parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
  if (total !== undefined && rate > 0 && done < total) parts.push(`${duration((total - done) / rate)} left`);
  if (message) parts.push(printable(message));
  return clip(parts.join('  '), columns - 1);
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
