import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildOpenApi } from './http/openapi.ts';
import { ENTITY_OPERATIONS } from './operations/entities.ts';
import { SESSION_OPERATIONS } from './session-api.ts';

const OPERATIONS = new URL('./operations/', import.meta.url);

/** `get_session_judgement` → `getSessionJudgement`. */
const functionName = (operationId: string) =>
  operationId.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('the table of operations', () => {
  it('the table of operations names every operation on sessions after its operation id', () => {
    const ofEntities = new Set<unknown>(
      ENTITY_OPERATIONS.flatMap(({ get, list, upsert, remove }) => [get, list, upsert, remove]),
    );
    const others = SESSION_OPERATIONS.filter(({ operation }) => !ofEntities.has(operation));
    expect(SESSION_OPERATIONS.length - others.length).toBe(24);
    expect(others.map(({ operation }) => operation.name)).toEqual(
      others.map(({ operationId }) => functionName(operationId)),
    );
  });

  it('every file of operations/ exports an operation of the contract', async () => {
    // The table of the six lists, and the page of a share, which no OpenAPI document describes.
    const names = new Set(['ENTITY_OPERATIONS', 'readPublicShare']);
    for (const path of Object.values(buildOpenApi().paths ?? {}))
      for (const { operationId } of Object.values(path as Record<string, { operationId?: string }>))
        if (operationId !== undefined) names.add(functionName(operationId));
    const others: string[] = [];
    for (const file of readdirSync(OPERATIONS).filter((name) => /^[a-z-]+\.ts$/.test(name))) {
      const exported = Object.keys((await import(new URL(file, OPERATIONS).href)) as object);
      if (!exported.some((name) => names.has(name))) others.push(file);
    }
    expect(others).toEqual([]);
  });
});
