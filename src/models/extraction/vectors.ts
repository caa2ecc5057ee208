// Vectors as a provider gave them, checked and brought to unit length.

import { VaiError } from '../../domain/errors.ts';

export function unitVector(values: unknown, dimensions: number, provider: string): Float32Array {
  if (
    !Array.isArray(values) ||
    values.length !== dimensions ||
    !values.every((value) => typeof value === 'number' && Number.isFinite(value))
  )
    throw new VaiError(
      'PROVIDER_BAD_ANSWER',
      `${provider} answered with ${Array.isArray(values) ? `${values.length} numbers` : 'no vector'} where ${dimensions} were expected.`,
      { hint: 'Nothing was written. Check the model name and its dimensions.' },
    );
  const vector = Float32Array.from(values as number[]);
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** Fails unless there is one vector per text. */
export function requireCount(got: number, wanted: number, provider: string): void {
  if (got !== wanted)
    throw new VaiError(
      'PROVIDER_BAD_ANSWER',
      `${provider} answered with ${got} vectors for ${wanted} texts.`,
      {
        hint: 'Nothing was written. Try again.',
      },
    );
}
