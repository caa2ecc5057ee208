// Markdown as a person reads it, made of nodes and never of markup: HTML in a document is shown as the text it is, an
// image as its description, an address that is no web address as words. Every block knows the lines it came from.
// Loaded when the first document is opened.

import MarkdownIt, { type Token } from 'markdown-it';
import { h, outside } from '../core/dom.ts';
import { frontMatterEnd } from '../core/front-matter.ts';
import { codeLines, marked } from './lines.ts';

export interface MarkdownOptions {
  /** Number of the first line of the text. */
  from: number;
  words: readonly string[];
  /** Where a link inside the collection leads; undefined leaves it as words. */
  resolve: (address: string) => string | undefined;
}

const BLOCKS = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'hr'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'em', 'strong', 's', 'br'],
]);

const parser = new MarkdownIt({ html: false, linkify: false, maxNesting: 40 });

export function renderMarkdown(lines: readonly string[], options: MarkdownOptions): HTMLElement {
  const body = h('div', { class: 'prose' });
  const front = frontMatterEnd(lines);
  if (front > 0) {
    const code = codeLines(lines.slice(0, front), { ...options, language: 'yaml' });
    body.append(h('details', { class: 'front-matter' }, h('summary', {}, 'Front matter'), code));
  }
  const text = lines.slice(front).join('\n');
  render(parser.parse(text, {}), body, { ...options, from: options.from + front });
  return body;
}

function render(tokens: readonly Token[], root: HTMLElement, options: MarkdownOptions): void {
  const stack: HTMLElement[] = [root];
  for (const token of tokens) {
    const parent = stack.at(-1)!;
    if (token.nesting === -1) {
      if (stack.length > 1) stack.pop();
    } else if (token.type === 'inline') {
      inline(token.children ?? [], parent, options);
    } else if (token.type === 'fence' || token.type === 'code_block') {
      parent.append(code(token, options));
    } else {
      const element = block(token, options);
      parent.append(element);
      if (token.nesting === 1) stack.push(element);
    }
  }
}

function block(token: Token, { from }: MarkdownOptions): HTMLElement {
  // The page has the one first-level heading; those of a document stand below it.
  const level = /^h([1-6])$/.exec(token.tag);
  const tag = level ? `h${Math.min(6, Number(level[1]) + 1)}` : token.tag;
  const element = h((BLOCKS.has(token.tag) ? tag : 'div') as 'div');
  if (level) element.className = `heading-${level[1]}`;
  if (token.hidden) element.className = 'tight';
  if (token.map) place(element, from + token.map[0], from + token.map[1] - 1);
  const start = token.attrGet('start');
  if (token.tag === 'ol' && start) element.setAttribute('start', String(start));
  // A wide table scrolls by itself instead of widening the page.
  if (token.tag === 'table') element.tabIndex = 0;
  return element;
}

function code(token: Token, options: MarkdownOptions): HTMLElement {
  const fenced = token.type === 'fence' ? 1 : 0;
  const lines = token.content.replace(/\n$/, '').split('\n');
  const language = token.info.trim().split(/\s/, 1)[0] ?? '';
  return codeLines(lines, { ...options, from: options.from + (token.map?.[0] ?? 0) + fenced, language });
}

function inline(tokens: readonly Token[], root: HTMLElement, options: MarkdownOptions): void {
  const stack: HTMLElement[] = [root];
  for (const token of tokens) {
    const parent = stack.at(-1)!;
    if (token.type === 'text' || token.type === 'html_inline')
      parent.append(marked(token.content, options.words));
    else if (token.type === 'code_inline') parent.append(h('code', {}, marked(token.content, options.words)));
    else if (token.type === 'softbreak') parent.append('\n');
    else if (token.type === 'hardbreak') parent.append(h('br'));
    else if (token.type === 'image')
      parent.append(h('span', { class: 'image' }, `Image: ${token.content || 'no description'}`));
    else if (token.nesting === 1) {
      const element =
        token.type === 'link_open'
          ? anchor(token, options)
          : h((BLOCKS.has(token.tag) ? token.tag : 'span') as 'span');
      parent.append(element);
      stack.push(element);
    } else if (token.nesting === -1 && stack.length > 1) stack.pop();
  }
}

function anchor(token: Token, { resolve }: MarkdownOptions): HTMLElement {
  const address = String(token.attrGet('href') ?? '');
  if (/^https?:\/\//i.test(address)) {
    const element = outside(address);
    element.replaceChildren();
    return element;
  }
  const target = resolve(address);
  return target ? h('a', { attrs: { href: target } }) : h('span', { class: 'dead-link', title: address });
}

function place(element: HTMLElement, start: number, end: number): void {
  element.dataset['line'] = String(start);
  element.dataset['end'] = String(end);
}
