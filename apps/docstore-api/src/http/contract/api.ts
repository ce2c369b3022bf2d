import { expect } from '@jest/globals';
import type { DOCSTORE_CODES } from '@platform/error-contracts';
import type { Answered, Client, TestService } from '../../test-service.fixture.ts';

/** The service that a contract is held against; there from the first test on. */
export interface Api extends Pick<Client, 'send' | 'create'> {
  readonly service: TestService;
  /** An owner of the contract's own, as whom `send` and `create` speak. */
  readonly client: Client;
}

/** Checks the envelope of an error, and that its request id is the header's. */
export function expectError(answer: Answered, status: number, code: keyof typeof DOCSTORE_CODES): void {
  expect([answer.status, answer.json?.error?.code, answer.text]).toEqual([status, code, answer.text]);
  expect(answer.json.error).toMatchObject({
    message: expect.any(String),
    request_id: answer.headers.get('X-Request-Id'),
  });
  expect('details' in answer.json.error).toBe(code === 'validation_failed');
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  for (const name of answer.headers.keys()) expect(name).not.toMatch(/^x-ratelimit/);
}
