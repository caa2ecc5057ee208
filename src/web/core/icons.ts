// The few line icons of the page, drawn on a 24-unit grid. They are decoration: every control has words of its own.

const PATHS = {
  search: 'M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14Zm5-2 4.5 4.5',
  layers: 'm12 3.5 8.5 4.5-8.5 4.5L3.5 8 12 3.5ZM4 12.5l8 4.2 8-4.2M4 16.8l8 4.2 8-4.2',
  plus: 'M12 5v14M5 12h14',
  graph:
    'M6.5 7.5 12 16m5.5-8.5L12 16M8.5 6h7M6 8.2a2.2 2.2 0 1 1 0-4.4 2.2 2.2 0 0 1 0 4.4Zm12 0a2.2 2.2 0 1 1 0-4.4 2.2 2.2 0 0 1 0 4.4Zm-6 12a2.2 2.2 0 1 1 0-4.4 2.2 2.2 0 0 1 0 4.4Z',
  pulse: 'M3 12h4l2.5-6 5 12 2.5-6h4',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2m0 15v2M2.5 12h2m15 0h2M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4m0-13.4-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4 8.2 8.2 0 1 0 20 14.2Z',
  half: 'M12 3.5a8.5 8.5 0 1 0 0 17v-17Zm0 0a8.5 8.5 0 0 1 0 17',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9.5h-13V11Z',
  help: 'M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.6v.1M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18Z',
  back: 'M19 12H5m6-6-6 6 6 6',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L4 16v4h4v-2.5h2.5V15l4-1.5ZM16 8v.1',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
