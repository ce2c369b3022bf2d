import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import { createMetrics } from '@platform/service-kit';
import { createTracing } from '@platform/telemetry';
import { pino } from 'pino';
import { CONFIG } from '../config.ts';
import { createUnary } from './unary.ts';

const TIMEOUT_MS = 100;
const config = await CONFIG.load({ AUTHZ_REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) });

/** A call with this deadline whose handler ends when it is told to; `responses` is what the client got. */
function startCall(deadline: number) {
  const unary = createUnary({
    logger: pino({ level: 'silent' }),
    metrics: createMetrics('test'),
    tokens: {} as never,
    config,
    tracing: createTracing({ service: 'test', endpoint: undefined }),
    decisions: {} as never,
    audit: {} as never,
    now: () => new Date(0),
    newCheckId: () => '',
  });
  const responses: unknown[] = [];
  let end: (response: string) => void = () => undefined;
  const handler = unary<string, string>('Test', () => new Promise((resolve) => (end = resolve)));
  const call = {
    metadata: new Metadata(),
    request: '',
    getDeadline: () => deadline,
    getPeer: () => '127.0.0.1:1',
  };
  handler(call as unknown as ServerUnaryCall<string, string>, (error, response) =>
    responses.push(error?.code ?? response),
  );
  return { responses, end: (response: string) => end(response) };
}

describe('the deadline of a call', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => void jest.useRealTimers());

  it('the deadline of a call without one is the setting', async () => {
    const { responses, end } = startCall(Infinity);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    end('late');
    await jest.advanceTimersByTimeAsync(0);
    expect(responses).toEqual([4]);
  });

  it('the deadline of a call is its own, however long', async () => {
    const { responses, end } = startCall(Date.now() + 60_000);
    await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
    end('in time');
    await jest.advanceTimersByTimeAsync(0);
    expect(responses).toEqual(['in time']);
  });
});
