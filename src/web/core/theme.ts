// Light, dark or as the system says. The choice is the only thing this page stores.

import { h, replace } from './dom.ts';
import { icon, type IconName } from './icons.ts';

const CHOICES = ['auto', 'light', 'dark'] as const;
type Choice = (typeof CHOICES)[number];

const ICONS: Record<Choice, IconName> = { auto: 'half', light: 'sun', dark: 'moon' };
const STORED = 'vai-theme';

export function themeToggle(onChange: () => void): HTMLElement {
  let choice = read();
  const control = h('button', { class: 'round', attrs: { type: 'button' } });
  const apply = (): void => {
    if (choice === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
    control.title = `Colours: ${choice}`;
    control.setAttribute('aria-label', `Colours: ${choice}`);
    replace(control, icon(ICONS[choice]));
  };
  control.addEventListener('click', () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length]!;
    apply();
    try {
      localStorage.setItem(STORED, choice);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    onChange();
  });
  apply();
  return control;
}

/** A colour of the style sheet as it is now, for what is drawn and not styled. */
export function colour(name: string): string {
  const probe = h('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function read(): Choice {
  try {
    return CHOICES.find((one) => one === localStorage.getItem(STORED)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
