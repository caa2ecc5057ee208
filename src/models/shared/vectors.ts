// Vectors as a provider gave them: nothing is taken on trust. Count, length and numbers are checked before anything can
// be written anywhere.

import { VaiError } from '../../domain/errors.ts';

/** Fails unless there is one vector per text. */
export function requireCount(got: number, wanted: number, service: string): void {
  if (got !== wanted) throw badAnswer(service, `${got} vectors for ${wanted} texts`);
}

export function checkedVector(values: unknown, dimensions: number, service: string): number[] {
  if (!Array.isArray(values) || !values.every((value) => Number.isFinite(value)))
    throw badAnswer(service, 'something that is not a vector');
  if (values.length !== dimensions) throw wrongLength(values.length, dimensions, service);
  return values as number[];
}

export function unitVector(values: unknown, dimensions: number, service: string): Float32Array {
  const vector = Float32Array.from(checkedVector(values, dimensions, service));
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

export function badAnswer(service: string, what: string): VaiError {
  return new VaiError('PROVIDER_BAD_ANSWER', `${service} answered with ${what}.`, {
    hint: 'Nothing was written. Try again; if it repeats, check the model and the address.',
  });
}

/** Ends a run: every text would get a vector of that length. */
function wrongLength(length: number, wanted: number, service: string): VaiError {
  return new VaiError(
    'MODEL_UNSUPPORTED',
    `${service} answered with vectors of ${length} dimensions instead of ${wanted}.`,
    { hint: `Nothing was written. Leave \`dimensions\` out or name \`dimensions\` as ${length}.` },
  );
}
