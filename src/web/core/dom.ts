// Small helpers to build the page. Text only ever becomes text nodes: nothing here parses markup, so a document cannot
// bring any along.

export type Child = Node | string | number | null | undefined | false;

export interface Props {
  class?: string;
  id?: string;
  title?: string;
  /** Attributes by their HTML names; false and undefined leave one out, true sets it empty. */
  attrs?: Record<string, string | number | boolean | undefined>;
  data?: Record<string, string>;
  on?: Partial<{ [Name in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Name]) => void }>;
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (props.class) element.className = props.class;
  if (props.id) element.id = props.id;
  if (props.title) element.title = props.title;
  for (const [name, value] of Object.entries(props.attrs ?? {})) {
    if (value === false || value === undefined) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  Object.assign(element.dataset, props.data);
  for (const [name, handler] of Object.entries(props.on ?? {}))
    element.addEventListener(name, handler as EventListener);
  append(element, children);
  return element;
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export function button(label: string, onClick: () => void, props: Props = {}): HTMLButtonElement {
  return h(
    'button',
    { ...props, attrs: { type: 'button', ...props.attrs }, on: { ...props.on, click: onClick } },
    label,
  );
}

export function link(label: string, href: string, props: Props = {}): HTMLAnchorElement {
  return h('a', { ...props, attrs: { ...props.attrs, href } }, label);
}

export const paragraph = (...children: Child[]): HTMLElement => h('p', {}, ...children);

export const hint = (...children: Child[]): HTMLElement => h('p', { class: 'hint' }, ...children);

/** What a list has to choose from: values, with what they are called. */
export function choices(
  offered: readonly (readonly [value: string | number, label: string])[],
  chosen?: string | number,
): HTMLOptionElement[] {
  return offered.map(([value, label]) =>
    h('option', { attrs: { value, selected: value === chosen } }, label),
  );
}

/** The frame of a view: its heading and what stands beside that, then what it shows. */
export function viewFrame(
  name: string,
  { title, lede, beside = [] }: { title: string | HTMLElement; lede?: Child; beside?: Child[] },
  ...body: Child[]
): HTMLElement {
  const id = `${name}-title`;
  const heading = typeof title === 'string' ? h('h1', { id }, title) : title;
  heading.id = id;
  const shownLede = typeof lede === 'string' ? h('p', { class: 'lede' }, lede) : lede;
  return h(
    'section',
    { class: `view ${name}`, attrs: { 'aria-labelledby': id } },
    h('header', { class: 'view-head' }, h('div', {}, heading, shownLede), ...beside),
    ...body,
  );
}

/** An address from a document, as a link only when it is an ordinary web address. */
export function outside(address: string): HTMLElement {
  const safe = /^https?:\/\//i.test(address);
  if (!safe) return h('span', {}, address);
  return link(address.replace(/^https?:\/\//i, ''), address, {
    class: 'outside',
    attrs: { rel: 'noreferrer noopener', target: '_blank' },
  });
}

let nextId = 0;
const uid = (prefix: string): string => `${prefix}-${++nextId}`;

/** A form that leaves the page where it is. */
export function form(props: Props, onSubmit: () => void, ...children: Child[]): HTMLFormElement {
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return h('form', { ...props, on: { ...props.on, submit } }, ...children);
}

/** A label above its control, tied together. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id ||= uid('field');
  const hintId = `${control.id}-hint`;
  if (hint) control.setAttribute('aria-describedby', hintId);
  return h(
    'div',
    { class: 'field' },
    h('label', { attrs: { for: control.id } }, label),
    control,
    hint ? h('p', { class: 'hint', id: hintId }, hint) : null,
  );
}
