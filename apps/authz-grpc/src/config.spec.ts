import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { settingsTable } from '@platform/service-kit';
import { findContradictions, readConfig, SETTINGS } from './config.ts';

describe('settings', () => {
  it('stand in the README as the schema has them', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    // Formatters pad the columns; the cells are what counts.
    const cells = (table: string) => table.replace(/ *\| */g, '|').replace(/-+/g, '-');
    expect(cells(readme)).toContain(cells(settingsTable(SETTINGS)));
  });

  it('name every bad variable at once', () => {
    expect(() => readConfig({ AUTHZ_HTTP_PORT: 'x', AUTHZ_REPLICAS: '0' })).toThrow(
      'AUTHZ_HTTP_PORT: must be a whole number\nAUTHZ_REPLICAS: must be at least 1',
    );
  });

  it('name a database or a Redis that cannot be one, not what it is', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hidden@a', REDIS_URL: 'hidden' })).toThrow(
      /^DATABASE_URL: must be `postgres:.*\nREDIS_URL: must be `redis:\/\/…` or `rediss:\/\/…`$/,
    );
  });

  it('refuse several replicas without Postgres and Redis (AUTHZ-G.5)', () => {
    expect(findContradictions(readConfig({ AUTHZ_REPLICAS: '2' }))).toEqual([
      'DATABASE_URL: more than one replica needs postgres://…',
      'REDIS_URL: more than one replica needs redis://…',
    ]);
    const stores = { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://a' };
    expect(findContradictions(readConfig({ AUTHZ_REPLICAS: '2', ...stores }))).toEqual([]);
  });
});
