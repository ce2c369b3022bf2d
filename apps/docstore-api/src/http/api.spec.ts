import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { API } from './api.ts';

const FOLDER = new URL('../operations/', import.meta.url);

describe('the API table', () => {
  it('the API table names operations that `operations/` exports, each from one file, and every file has one', async () => {
    const homes = new Map<string, string[]>();
    for (const file of readdirSync(FOLDER).filter((name) => /^[a-z-]+\.ts$/.test(name))) {
      const names = Object.entries((await import(new URL(file, FOLDER).href)) as Record<string, unknown>);
      for (const [name, value] of names)
        if (typeof value === 'function') homes.set(name, [...(homes.get(name) ?? []), file]);
    }
    const misplaced = API.filter(({ id }) => homes.get(id)?.length !== 1).map(({ id }) => id);
    expect(misplaced).toEqual([]);
    const ids = new Set(API.map(({ id }) => id));
    const used = new Set([...homes].filter(([name]) => ids.has(name)).flatMap(([, files]) => files));
    expect([...homes.values()].flat().filter((file) => !used.has(file))).toEqual([]);
  });

  it('the API table has one row for each method of a path', () => {
    const rows = API.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(rows).size).toBe(rows.length);
  });
});
