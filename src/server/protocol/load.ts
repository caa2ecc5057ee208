// Loaded with the first request after the greeting: what answers it.

export { compileSurface } from './compile.ts';
export { createDispatcher } from './dispatch.ts';
export { tasksOf } from './tasks.ts';
