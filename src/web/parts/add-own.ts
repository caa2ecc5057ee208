// Texts of whoever sits in front of the page: files and folders of this computer, or a note pasted here. The browser
// sends them, so they end with the page; it asks before it is closed.

import type { App } from '../app.ts';
import { button, field, form, h, hint, link, replace } from '../core/dom.ts';
import { milliseconds, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { isAbort, type Progress } from '../core/server.ts';
import type { AddForm } from './add-source.ts';
import { dropped, named, type Named } from './drop.ts';
import { errorBox, warnings, withCode } from './notice.ts';

interface Job {
  element: HTMLElement;
  run(
    work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<HTMLElement>,
  ): Promise<void>;
}

/** A bar, a line of words and a way to stop; then what came out of it. */
function job(app: App, submit: HTMLButtonElement): Job {
  const element = h('div', { class: 'job' });
  return {
    element,
    async run(work) {
      const stop = new AbortController();
      const bar = h('progress', { attrs: { 'aria-label': 'Progress' } });
      const words = h('p', { class: 'job-words', attrs: { role: 'status' } }, 'Starting…');
      const began = performance.now();
      let latest: Progress = { progress: 0, message: 'Working' };
      const say = (): void => {
        words.textContent = describe(latest, performance.now() - began);
      };
      const ticking = setInterval(say, 1000);
      // What this tab sends ends with it.
      const stay = (event: BeforeUnloadEvent): void => event.preventDefault();
      addEventListener('beforeunload', stay);
      submit.disabled = true;
      replace(
        element,
        bar,
        words,
        button('Cancel', () => stop.abort(), { class: 'quiet' }),
      );
      try {
        const done = await work(stop.signal, (progress) => {
          latest = progress;
          if (progress.total) {
            bar.max = progress.total;
            bar.value = progress.progress;
          }
          say();
        });
        replace(element, done);
        app.announce('Done');
      } catch (error) {
        replace(
          element,
          isAbort(error)
            ? h('p', { class: 'none' }, 'Cancelled. What was there before is unchanged.')
            : errorBox(error),
        );
      } finally {
        clearInterval(ticking);
        removeEventListener('beforeunload', stay);
        submit.disabled = false;
      }
    },
  };
}

function describe({ progress, total, message }: Progress, ms: number): string {
  const part = total ? `${progress} of ${total}` : '';
  return [message, part, milliseconds(ms)].filter(Boolean).join(' · ');
}

/** Larger files are for `vai ingest`, which reads them in parts. */
const MAX_FILE = 2_000_000;

export function filesForm(app: App): AddForm {
  const chosen = h('input', { attrs: { type: 'file', multiple: true } });
  const folder = h('input', { attrs: { type: 'file', webkitdirectory: true } });
  const collection = h('input', { attrs: { maxlength: 120, autocomplete: 'off', placeholder: 'knowledge' } });
  const submit = h('button', { class: 'primary', attrs: { type: 'submit' } }, 'Add files');
  const progress = job(app, submit);

  async function add(files: readonly Named[]): Promise<void> {
    if (files.length === 0) return chosen.focus();
    await progress.run(async (signal, onProgress) => {
      let chunks = 0;
      const failed: string[] = [];
      let into = collection.value.trim();
      for (const [at, { file, path }] of files.entries()) {
        onProgress({ progress: at, total: files.length, message: path });
        try {
          const kept = await ingestFile(app, { file, path }, { collection: into, signal });
          chunks += kept.chunksCreated;
          into ||= kept.collection;
        } catch (error) {
          if (isAbort(error)) throw error;
          failed.push(`${path}: ${error instanceof Error ? error.message : 'could not be added'}`);
        }
      }
      const added = files.length - failed.length;
      return h(
        'div',
        { class: added > 0 ? 'notice good' : 'notice bad' },
        h(
          'p',
          { class: 'notice-title' },
          `${plural(added, 'file')} added${into && added ? ` to ${into}` : ''}`,
        ),
        h('p', {}, `${plural(chunks, 'new passage')}.`),
        warnings(failed),
        added > 0 ? link(`Search ${into}`, formatHash('search', { c: into })) : null,
      );
    });
  }

  const element = form(
    { class: 'panel', attrs: { 'aria-labelledby': 'files-title' } },
    () => void add([...named(chosen.files), ...named(folder.files)]),
    h('h2', { id: 'files-title' }, 'Files'),
    hint(withCode('Text, Markdown or code, chosen or dropped here. For PDF and Word use `vai ingest`.')),
    field('Files', chosen),
    field('Folder', folder, 'With everything below it; hidden files and node_modules are left out.'),
    field('Collection of the files', collection, 'Optional.'),
    submit,
    progress.element,
  );
  element.addEventListener('dragover', (event) => event.preventDefault());
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer) void dropped(event.dataTransfer).then(add);
  });
  return { element };
}

async function ingestFile(
  app: App,
  { file, path }: Named,
  { collection, signal }: { collection: string; signal: AbortSignal },
): Promise<{ collection: string; chunksCreated: number }> {
  if (file.size > MAX_FILE) throw new Error('larger than 2 MB; add it with vai ingest');
  const text = await file.text();
  if (text.includes('\0')) throw new Error('not a text file; add it with vai ingest');
  return app.server.call(
    'vai_ingest',
    { text, source: path, collection: collection || undefined },
    { signal },
  );
}

export function noteForm(app: App): AddForm {
  const text = h('textarea', {
    attrs: {
      required: true,
      rows: 9,
      maxlength: 2_000_000,
      placeholder: '# Title\n\nWhat should be remembered…',
    },
  });
  const source = h('input', {
    attrs: { maxlength: 1024, autocomplete: 'off', placeholder: 'notes/meeting.md' },
  });
  const collection = h('input', { attrs: { maxlength: 120, autocomplete: 'off', placeholder: 'knowledge' } });
  const submit = h('button', { class: 'primary', attrs: { type: 'submit' } }, 'Save note');
  const progress = job(app, submit);

  async function add(): Promise<void> {
    await progress.run(async (signal, onProgress) => {
      const args = {
        text: text.value,
        source: source.value.trim() || undefined,
        collection: collection.value.trim() || undefined,
      };
      const kept = await app.server.call<{
        source: string;
        collection: string;
        chunksCreated: number;
        warnings?: string[];
      }>('vai_ingest', args, { signal, onProgress });
      text.value = '';
      return h(
        'div',
        { class: 'notice good' },
        h('p', { class: 'notice-title' }, `Saved in ${kept.collection}`),
        h('p', {}, `${kept.source}: ${plural(kept.chunksCreated, 'new passage')}.`),
        warnings(kept.warnings),
        link(`Search ${kept.collection}`, formatHash('search', { c: kept.collection })),
      );
    });
  }

  const element = form(
    { class: 'panel', attrs: { 'aria-labelledby': 'note-title' } },
    () => void add(),
    h('h2', { id: 'note-title' }, 'A note'),
    hint('Plain text or Markdown. A note of the same name is replaced.'),
    field('Text', text),
    field('File name', source, 'Used in citations. Optional.'),
    field('Collection', collection, 'Optional.'),
    submit,
    progress.element,
  );
  return { element };
}
