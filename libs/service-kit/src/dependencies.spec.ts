import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { Registry } from 'prom-client';
import { watchDependencies } from './dependencies.ts';

/** A log that keeps what was said. */
function keepLines() {
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
  const say = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: fields as Record<string, unknown> });
  return { lines, logger: { info: say('info'), warn: say('warn') } as never };
}
const FAST = { pingEveryMs: 5, pingMaxMs: 5 };

describe('watchDependencies', () => {
  it('watchDependencies shows which dependencies respond, and one that hangs as down, until they recover', async () => {
    covers('PLAT-O.12');
    const registry = new Registry();
    const { logger } = keepLines();
    let isUnavailable = false;
    const stop = watchDependencies(
      { registry, logger },
      {
        database: {
          ping: () => (isUnavailable ? new Promise(() => undefined) : Promise.resolve()),
          setting: 'DATABASE_URL',
        },
        redis: {
          ping: () => {
            if (isUnavailable) throw new Error('refused');
            return Promise.resolve();
          },
          setting: 'REDIS_URL',
        },
        'authz-grpc': { ping: () => Promise.resolve(), setting: 'DOCSTORE_AUTHZ_URL' },
      },
      FAST,
    );
    const shown = async () => {
      const { values } = await registry.getSingleMetric('dependency_up')!.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels['name'], value]));
    };
    await eventually(shown).toEqual({ database: 1, redis: 1, 'authz-grpc': 1 });
    isUnavailable = true;
    await eventually(shown).toEqual({ database: 0, redis: 0, 'authz-grpc': 1 });
    isUnavailable = false;
    await eventually(shown).toEqual({ database: 1, redis: 1, 'authz-grpc': 1 });
    stop();
    isUnavailable = true;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await shown()).toEqual({ database: 1, redis: 1, 'authz-grpc': 1 });
  });

  it('the log says once why a dependency does not respond, and that it responds again', async () => {
    covers('PLAT-O.12');
    const { lines, logger } = keepLines();
    const gone = new Error('database "docstore" does not exist');
    let asked = 0;
    let isGone = true;
    const ping = async () => {
      asked += 1;
      if (isGone) throw gone;
    };
    const dependencies = { database: { ping, setting: 'DATABASE_URL' } };
    const stop = watchDependencies({ registry: new Registry(), logger }, dependencies, FAST);
    await eventually(() => asked).toBeGreaterThan(5);
    isGone = false;
    await eventually(() => lines.length).toBe(2);
    stop();
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'a dependency does not respond',
        fields: { err: gone, dependency: 'database', setting: 'DATABASE_URL' },
      },
      { level: 'info', message: 'a dependency responds again', fields: { dependency: 'database' } },
    ]);
  });

  it('one lost reply is not mentioned, and a long silence is mentioned again', async () => {
    let asked = 0;
    const mentionedAfter: number[] = [];
    const warn = () => void mentionedAfter.push(asked);
    const ping = async () => {
      asked += 1;
      if (asked === 1 || asked > 3) throw new Error('no reply');
    };
    const stop = watchDependencies(
      { registry: new Registry(), logger: { info: () => undefined, warn } },
      { redis: { ping, setting: 'REDIS_URL' } },
      { ...FAST, sayEveryMs: 0 },
    );
    await eventually(() => mentionedAfter.length).toBeGreaterThan(1);
    stop();
    expect(mentionedAfter.slice(0, 2)).toEqual([5, 6]);
  });
});
