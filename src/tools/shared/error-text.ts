// The text of a failed call: JSON that a model can act on and a program can read.

import { describeError, type VaiError } from '../../domain/errors.ts';

export function jsonErrorText(error: VaiError): string {
  return JSON.stringify({ error: describeError(error) });
}
