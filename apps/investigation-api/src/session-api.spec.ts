import { describe, expect, it } from '@jest/globals';
import { ENTITY_OPERATIONS } from './operations/entities.ts';
import { SESSION_OPERATIONS } from './session-api.ts';

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
});
