import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { defaultWorkers, workersWithin } from './worker-count.ts';

const MIB = 1024 ** 2;

describe('the number of workers', () => {
  covers('PLAT-O.16');
  it.each([
    ['a node of 16 cores and the limit of the chart', 16, 2560, 1024, 2],
    ['a node of 16 cores and room for six', 16, 6 * 1024 + 512, 1024, 6],
    ['four cores and more room than they need', 4, 65_536, 1024, 4],
    ['one core', 1, 65_536, 1024, 2],
    ['a limit that holds not even one', 8, 700, 1024, 1],
    ['small heaps', 8, 1536, 256, 4],
  ])('%s give as many workers as the memory holds', (_case, cores, limit, heap, workers) => {
    expect(defaultWorkers({ cores, memoryLimit: limit * MIB }, heap)).toBe(workers);
  });

  it.each([undefined, 0, 2 ** 64])('a process without a memory limit (%s) has a worker per core', (none) => {
    expect(defaultWorkers({ cores: 16, memoryLimit: none }, 1024)).toBe(16);
    expect(workersWithin({ memoryLimit: none }, 1024)).toBeGreaterThan(256);
  });
});
