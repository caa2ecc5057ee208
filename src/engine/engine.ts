// The only thing a door sees. Each group of methods is made by a factory in a folder of its own; this file puts them
// together and holds no logic.

export interface Engine {
  readonly version: string;
  close(): Promise<void>;
}
