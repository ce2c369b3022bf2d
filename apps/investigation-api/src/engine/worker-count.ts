/** What the process needs besides the heaps of its workers; the chart counts with the same. Mebibytes. */
const BESIDE_WORKERS_MIB = 512;
const MIB = 1024 ** 2;

/** Cores and memory that one process may use. */
export interface Machine {
  /** Cores that the process may use. */
  readonly cores: number;
  /**
   * Bytes, as `process.constrainedMemory()` has them: 0, undefined or more than any machine has where nothing
   * limits the process.
   */
  readonly memoryLimit: number | undefined;
}

/** Worker threads whose heaps the memory limit holds; Infinity where there is no limit. At least 1. */
export function workersWithin(
  { memoryLimit }: Pick<Machine, 'memoryLimit'>,
  workerMemoryMib: number,
): number {
  if (!memoryLimit) return Infinity;
  return Math.max(1, Math.floor((memoryLimit / MIB - BESIDE_WORKERS_MIB) / workerMemoryMib));
}

/**
 * Worker threads where no setting says how many: one per core and at least two, but no more than the memory
 * limit of the container holds. Containers see the cores of the whole node, and beyond the limit the kernel
 * ends the process with every request in it.
 */
export function defaultWorkers(machine: Machine, workerMemoryMib: number): number {
  return Math.min(Math.max(2, machine.cores), workersWithin(machine, workerMemoryMib));
}
