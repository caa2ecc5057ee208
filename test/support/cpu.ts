// Processor time of this process, for tests about speed: the clock on the wall depends on what else the machine does.

export function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}
