// Something in front of the page: to look at, or a question with a few fields, one thing to do, and a way out.

import { button, form, h, replace, type Child } from '../core/dom.ts';
import { errorBox } from './notice.ts';

export function showDialog(title: string, ...body: Child[]): HTMLDialogElement {
  const dialog = h(
    'dialog',
    { class: 'question', attrs: { 'aria-labelledby': 'question-title' } },
    h('h2', { id: 'question-title' }, title),
    ...body,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export interface Asked {
  title: string;
  body: Child[];
  /** What the button says. */
  action: string;
  danger?: boolean;
  /** Rejecting keeps the dialog open and shows why. What it returns is shown in place of the question. */
  run: () => Promise<Child[] | void>;
}

export function openDialog({ title, body, action, danger, run }: Asked): void {
  const message = h('div', {});
  const submit = h(
    'button',
    { class: danger ? 'primary danger' : 'primary', attrs: { type: 'submit' } },
    action,
  );
  const cancel = button('Cancel', () => dialog.close(), { class: 'quiet' });
  const ask = (): void => {
    submit.disabled = true;
    replace(message);
    run()
      .then((after) => {
        if (!after) return dialog.close();
        const done = button('Done', () => dialog.close(), { class: 'primary' });
        replace(element, ...after, h('p', { class: 'ask-tools' }, done));
        done.focus();
      })
      .catch((error: unknown) => replace(message, errorBox(error)))
      .finally(() => (submit.disabled = false));
  };
  const tools = h('p', { class: 'ask-tools' }, submit, cancel);
  const element = form({ class: 'ask' }, ask, ...body, message, tools);
  const dialog = showDialog(title, element);
}
