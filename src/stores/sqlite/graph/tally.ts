// Counting what mentions say is the same in every store.

export * from '../../../domain/tally.ts';
