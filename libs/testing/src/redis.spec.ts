import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { startRedis } from './redis.ts';

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(`${command}\r\n`));
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString());
    });
    socket.once('error', reject);
  });
}

describe('startRedis', () => {
  it('startRedis starts a server that responds, and ends it', async () => {
    const redis = await startRedis({});
    try {
      expect(await ask(redis.port, 'SET greeting hello')).toBe('+OK\r\n');
      const named = await startRedis({ TEST_REDIS_URL: redis.url });
      expect(named.port).toBe(redis.port);
      await named.stop();
      expect(await ask(redis.port, 'GET greeting')).toBe('$5\r\nhello\r\n');
    } finally {
      await redis.stop();
    }
    await expect(ask(redis.port, 'PING')).rejects.toThrow('ECONNREFUSED');
  });
});
