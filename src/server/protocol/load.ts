// What the first request that is more than a greeting needs, in one piece.

export { compileSurface } from './compile.ts';
export { createDispatcher } from './dispatch.ts';
export { tasksOf } from './tasks.ts';
