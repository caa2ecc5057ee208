// Adding knowledge: one kind at a time, each with its own address. What the server reads goes on when the page is left.

import type { App, View } from '../app.ts';
import { h, paragraph, replace, viewFrame } from '../core/dom.ts';
import { formatHash } from '../core/hash.ts';
import { activity, type Activity } from '../parts/activity.ts';
import { filesForm, noteForm } from '../parts/add-own.ts';
import {
  addressForm,
  folderForm,
  registryForm,
  repositoryForm,
  websiteForm,
  type AddForm,
} from '../parts/add-source.ts';
import { empty } from '../parts/notice.ts';

interface Kind {
  /** In the address of the view. */
  id: string;
  label: string;
  about: string;
  make: (app: App, work: Activity) => AddForm;
  offered: (app: App) => boolean;
}

const mayAdd = (app: App): boolean => app.may('add');
const mayIngest = (app: App): boolean => app.tools.has('vai_ingest');

const KINDS: readonly Kind[] = [
  {
    ...{ id: 'registry', label: 'Registry', about: 'Known documentation' },
    ...{ make: registryForm, offered: mayAdd },
  },
  {
    ...{ id: 'address', label: 'Web address', about: 'llms.txt, text, OpenAPI or PDF' },
    ...{ make: addressForm, offered: mayAdd },
  },
  {
    ...{ id: 'github', label: 'GitHub', about: 'A repository or a folder of it' },
    ...{ make: repositoryForm, offered: mayAdd },
  },
  {
    ...{ id: 'website', label: 'Website', about: 'Every page below an address' },
    ...{ make: websiteForm, offered: mayAdd },
  },
  {
    ...{ id: 'folder', label: 'Server folder', about: 'A path on the server' },
    ...{ make: folderForm, offered: (app) => app.may('add-folder') },
  },
  {
    ...{ id: 'files', label: 'Your files', about: 'From this computer' },
    ...{ make: filesForm, offered: mayIngest },
  },
  { id: 'note', label: 'Note', about: 'Type or paste text', make: noteForm, offered: mayIngest },
];

export function addView(app: App): View {
  const work = activity(app, () => undefined);
  const kinds = KINDS.filter((kind) => kind.offered(app));
  const forms = new Map<string, AddForm>();
  const place = h('div', {});
  const links = kinds.map(({ id, label, about }) =>
    h(
      'a',
      { data: { kind: id }, attrs: { href: formatHash('add', { from: id }) } },
      h('strong', {}, label),
      h('span', {}, about),
    ),
  );
  const lede = kinds.length > 0 ? 'Everything you add becomes searchable and citable by line.' : null;
  const element = viewFrame(
    'add',
    { title: 'Add', lede },
    work.element,
    kinds.length > 0
      ? h(
          'div',
          { class: 'add-body' },
          h('nav', { class: 'kinds', attrs: { 'aria-label': 'What to add' } }, ...links),
          place,
        )
      : empty(
          'This key may only read',
          paragraph('Adding needs a key with the write scope. The owner of this server can make one:'),
          paragraph(h('code', {}, 'vai mcp-server generate-key --scopes read,write')),
        ),
  );
  return {
    element,
    title: 'Add',
    show(params) {
      work.show();
      const kind = kinds.find(({ id }) => id === params['from']) ?? kinds[0];
      if (!kind) return;
      for (const one of links) {
        if (one.dataset['kind'] === kind.id) one.setAttribute('aria-current', 'true');
        else one.removeAttribute('aria-current');
      }
      // A form is kept once made: what was typed, and files that are being sent, stay.
      const form = forms.get(kind.id) ?? kind.make(app, work);
      forms.set(kind.id, form);
      if (form.element.parentElement !== place) replace(place, form.element);
      form.load?.();
    },
    hide: () => work.hide(),
  };
}
