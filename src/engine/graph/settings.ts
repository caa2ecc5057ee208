// The graph's settings, under the name the engine knows them by.

export * from '../../domain/graph-settings.ts';
