import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './program.ts';

describe('freePort', () => {
  it('freePort returns no port twice, and none of the range for outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, freePort));
    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
    await new Promise((resolve) => server.close(resolve));
  });
});
