// Where the key is entered. It goes into the connection and nowhere else: a reload asks for it again.

import { field, h, replace } from '../core/dom.ts';
import { icon } from '../core/icons.ts';
import type { Measures } from '../core/measure.ts';
import { connect, type Server } from '../core/server.ts';
import { errorBox } from '../parts/notice.ts';

export interface Connection {
  server: Server;
  tools: ReadonlySet<string>;
}

export function gate(measures: Measures, onOpen: (connection: Connection) => void): HTMLElement {
  const key = h('input', {
    class: 'key-input',
    attrs: {
      type: 'password',
      required: true,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'vai-mcp-key-…',
    },
  });
  const submit = h('button', { class: 'primary', attrs: { type: 'submit' } }, 'Open');
  const message = h('div', {});

  async function open(): Promise<void> {
    submit.disabled = true;
    replace(message);
    const server = connect(key.value.trim(), measures);
    try {
      const tools = await server.tools();
      key.value = '';
      onOpen({ server, tools });
    } catch (error) {
      replace(message, errorBox(error));
      key.select();
    } finally {
      submit.disabled = false;
    }
  }

  const form = h(
    'form',
    {
      class: 'gate',
      attrs: { 'aria-labelledby': 'gate-title' },
      on: {
        submit: (event) => {
          event.preventDefault();
          void open();
        },
      },
    },
    h('h1', { id: 'gate-title' }, 'Open your knowledge base'),
    h('p', {}, 'See what your agents see: search it, read around every citation, watch it grow.'),
    field('Key', key, 'Kept in this tab’s memory only. A reload forgets it.'),
    message,
    submit,
    h('p', { class: 'hint' }, icon('lock'), ' No key yet? ', h('code', {}, 'vai mcp-server generate-key')),
  );
  requestAnimationFrame(() => key.focus());
  return form;
}
