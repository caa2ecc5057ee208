// Keeps V8 from doubling its young generation while a stdio server only loads and waits: eight megabytes that dozens of
// idle servers on a developer's machine would each keep. The first real request gives V8 its usual freedom back.

import { setFlagsFromString } from 'node:v8';

const USUAL_GROWTH = 2;

/** Returns what lets it grow again. */
export function holdYoungGeneration(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  let asleep = true;
  return () => {
    if (asleep) setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`);
    asleep = false;
  };
}
