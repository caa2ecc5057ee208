// What every view is given, and what a view is.

import type { ViewName } from './core/hash.ts';
import type { Server } from './core/server.ts';

export interface App {
  server: Server;
  /** Names of the tools the key may use; a view does without those that are missing. */
  tools: ReadonlySet<string>;
  /** Whether the key may use an action of the admin API; what it may not is not offered. */
  may(action: string): boolean;
  go(view: ViewName, params?: Record<string, string | undefined>): void;
  /** The same view with other parameters, without a new step in the history. */
  swap(view: ViewName, params: Record<string, string | undefined>): void;
  /** What the last search found, in order, for whoever reads from one result to the next. */
  results: { citations: string[] };
  /** Keeps the address in step with what is typed, without a new step in the history. */
  settle(view: ViewName, params: Record<string, string | undefined>): void;
  /** One step back in the page's own history; false when there is none. */
  back(): boolean;
  /** Read out by screen readers, seen by nobody. */
  announce(text: string): void;
}

/** Whether the key may add texts in any way. */
export const mayAddAny = (app: App): boolean => app.may('add') || app.tools.has('vai_ingest');

export interface View {
  element: HTMLElement;
  title: string;
  show(params: Record<string, string>): void;
  hide?(): void;
  /** True when the key was used. Not asked while a text field has the focus, except for Escape and arrows. */
  onKey?(event: KeyboardEvent): boolean;
}
