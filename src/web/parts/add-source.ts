// Sources that the server reads itself: documentation from the registry or an address, a GitHub repository, a website, a
// folder of the server. Each is one job, which goes on when the page is left.

import type { App } from '../app.ts';
import { button, field, form, h, hint, paragraph, replace, type Child } from '../core/dom.ts';
import { repositoryAddress, suggestedName } from '../core/source-address.ts';
import type { Activity } from './activity.ts';
import { candidates, type Candidate } from './collections.ts';
import { empty, errorBox, withCode } from './notice.ts';

const OFFERED = 24;

export interface AddForm {
  element: HTMLElement;
  /** Asks for what it offers; called each time it is shown. */
  load?(): void;
}

interface FormParts {
  title: string;
  hint: string;
  fields: Child[];
  /** Under the button. */
  more?: Child[];
  name: HTMLInputElement;
  /** What is asked of the server beside name and `force`; undefined: something is still missing. */
  request: () => { action: string; input: Record<string, string> } | undefined;
}

/** The frame all of these share: title, fields, whether to replace, the button. */
function sourceForm(work: Activity, parts: FormParts): HTMLFormElement {
  const force = h('input', { attrs: { type: 'checkbox' } });
  const submit = h('button', { class: 'primary', attrs: { type: 'submit' } }, 'Add source');
  const add = async (): Promise<void> => {
    const asked = parts.request();
    if (!asked) return;
    submit.disabled = true;
    await work.start(asked.action, {
      collection: parts.name.value.trim(),
      ...asked.input,
      force: force.checked || undefined,
    });
    submit.disabled = false;
    work.element.scrollIntoView({ block: 'nearest' });
  };
  return form(
    { class: 'panel', attrs: { 'aria-labelledby': 'source-title' } },
    () => void add(),
    h('h2', { id: 'source-title' }, parts.title),
    hint(parts.hint),
    ...parts.fields,
    h('label', { class: 'check' }, force, 'Replace a source that has this name'),
    paragraph(submit),
    ...(parts.more ?? []),
  );
}

function textInput(placeholder: string, attrs: Record<string, string | number | boolean> = {}) {
  return h('input', {
    attrs: { maxlength: 2000, autocomplete: 'off', spellcheck: 'false', placeholder, ...attrs },
  });
}

const nameInput = (placeholder: string): HTMLInputElement =>
  textInput(placeholder, { required: true, maxlength: 64 });

/** The name follows what is typed beside it until somebody chooses another. */
function follow(name: HTMLInputElement, from: HTMLInputElement, source: () => string): void {
  let own = false;
  name.addEventListener('input', () => (own = name.value !== ''));
  from.addEventListener('input', () => {
    if (!own) name.value = suggestedName(source());
  });
}

const NAME_HINT = 'Used in citations and filters. Letters, digits, - and _.';

export function registryForm(app: App, work: Activity): AddForm {
  const name = nameInput('Type to filter');
  const status = h('p', { class: 'hint', attrs: { role: 'status' } });
  const offers = h('ul', { class: 'offers' });
  let known: Candidate[] = [];

  function offer(): void {
    const wanted = name.value.trim().toLowerCase();
    const fitting = known.filter((one) =>
      `${one.alias} ${one.title} ${one.description} ${one.category}`.toLowerCase().includes(wanted),
    );
    status.textContent =
      fitting.length === 0 && known.length > 0
        ? 'The registry does not list it. Add it from a web address, a repository or its website.'
        : fitting.length > OFFERED
          ? `${OFFERED} of ${fitting.length} known sources. Type to narrow the list.`
          : '';
    replace(
      offers,
      ...fitting.slice(0, OFFERED).map((one) => {
        const choose = offerButton(one.title, one.description, () => {
          name.value = one.alias;
          offer();
          element.querySelector<HTMLElement>('.primary')?.focus();
        });
        return h('li', {}, choose);
      }),
    );
  }
  name.addEventListener('input', offer);
  const element = sourceForm(work, {
    title: 'Documentation from the registry',
    hint: 'Well-known documentation. The server fetches it once and searches it locally from then on.',
    name,
    fields: [field('Name', name)],
    more: [status, offers],
    request: () => ({ action: 'add', input: {} }),
  });
  return {
    element,
    load() {
      candidates(app)
        .then((found) => {
          known = found;
          offer();
        })
        .catch((error: unknown) => replace(offers, h('li', {}, errorBox(error))));
    },
  };
}

function offerButton(title: string, description: string, run: () => void): HTMLElement {
  const choose = button(title, run, { class: 'offer', title: description });
  choose.append(h('span', {}, description));
  return choose;
}

export function addressForm(_: App, work: Activity): AddForm {
  const url = textInput('https://bun.sh/llms-full.txt', { type: 'url', required: true });
  const name = nameInput('bun');
  follow(name, url, () => url.value);
  const element = sourceForm(work, {
    title: 'A document at a web address',
    hint: 'An llms.txt or llms-full.txt works best; any Markdown or text file, OpenAPI description, notebook or PDF will do. The server fetches it, not this browser.',
    name,
    fields: [field('Address', url), field('Name', name, NAME_HINT)],
    request: () => ({ action: 'add', input: { url: url.value.trim() } }),
  });
  return { element };
}

export function repositoryForm(_: App, work: Activity): AddForm {
  const repository = textInput('honojs/website', { required: true });
  const ref = textInput('main', { maxlength: 200 });
  const folder = textInput('docs', { maxlength: 800 });
  const name = nameInput('website');
  const address = (): string | undefined =>
    repositoryAddress({ repository: repository.value, ref: ref.value, folder: folder.value });
  follow(name, repository, () => (address() ?? '').replace(/@.*/, '').split('/')[1] ?? '');
  repository.addEventListener('input', () =>
    repository.setCustomValidity(
      repository.value && !address() ? 'Enter owner/name, or paste the address of the repository.' : '',
    ),
  );
  const element = sourceForm(work, {
    title: 'A GitHub repository',
    hint: 'Documentation and code of a public repository. Every file becomes a document that can be cited by line.',
    name,
    fields: [
      field('Repository', repository, 'owner/name, or the address shown in your browser.'),
      h(
        'div',
        { class: 'pair' },
        field('Branch, tag or commit', ref, 'Optional. Default: the main branch.'),
        field('Folder', folder, 'Optional. Default: the whole repository.'),
      ),
      field('Name', name, NAME_HINT),
    ],
    request: () => {
      const url = address();
      return url === undefined ? undefined : { action: 'add', input: { url } };
    },
  });
  return { element };
}

export function websiteForm(_: App, work: Activity): AddForm {
  const url = textInput('https://docs.example.com/guide/', { type: 'url', required: true });
  const name = nameInput('example');
  follow(name, url, () => url.value);
  const element = sourceForm(work, {
    title: 'A website',
    hint: 'For sites without an llms.txt. Up to 500 pages below the address are read, as far as robots.txt allows.',
    name,
    fields: [field('Address', url, 'Pages below this folder are added.'), field('Name', name, NAME_HINT)],
    request: () => ({ action: 'add', input: { url: `site:${url.value.trim()}` } }),
  });
  return { element };
}

interface OpenFolder {
  path: string;
  inside: string[];
  more: boolean;
}

export function folderForm(app: App, work: Activity): AddForm {
  const folder = textInput('~/docs/handbook', { required: true });
  const name = nameInput('handbook');
  const offers = h('ul', { class: 'offers' });
  const place = h('div', {});
  follow(name, folder, () => folder.value);
  const form = sourceForm(work, {
    title: 'A folder on the server',
    hint: 'Reads a folder of the machine that vai runs on, with everything below it. Hidden files, node_modules and whatever .gitignore excludes are skipped.',
    name,
    fields: [field('Folder', folder), field('Name', name, NAME_HINT)],
    more: [h('h3', {}, 'Open folders'), offers],
    request: () => ({ action: 'add-folder', input: { folder: folder.value.trim() } }),
  });

  function draw(open: readonly OpenFolder[]): void {
    const choose = (path: string, description: string): HTMLElement => {
      const offered = offerButton(path, description, () => {
        folder.value = path;
        folder.dispatchEvent(new Event('input'));
        name.focus();
      });
      return h('li', {}, offered);
    };
    replace(
      offers,
      ...open.flatMap(({ path, inside, more }) => [
        choose(path, more ? `more than ${inside.length} folders` : 'with everything below it'),
        ...inside.slice(0, OFFERED).map((one) => choose(one, `in ${path}`)),
      ]),
    );
    replace(place, open.length > 0 ? form : noneOpen());
  }

  return {
    element: place,
    load() {
      app.server
        .admin<{ folders: OpenFolder[] }>('folders')
        .then(({ folders }) => draw(folders))
        .catch((error: unknown) => replace(place, errorBox(error)));
    },
  };
}

function noneOpen(): HTMLElement {
  return empty(
    'No folder is open yet',
    paragraph(
      'For safety, the page can only read folders that the owner of this server has opened. On the server, run:',
    ),
    paragraph(h('code', {}, 'vai config set open-folders ~/docs')),
    paragraph(withCode('Then restart the server. Separate several folders with commas.')),
  );
}
