import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { callApi, startBuilt } from './built-service.fixture.ts';

describe('streams of events of the built service', () => {
  it('a service that stops ends its streams and exits cleanly, long before the limit of a stop', async () => {
    covers('INV-WATCH.11');
    const limitMs = 60_000;
    const service = await startBuilt({ INVESTIGATION_DRAIN_MAX_MS: String(limitMs) });
    await callApi(service, 'POST', '/sessions', { session_id: 's', name: 'n' });
    const response = await fetch(`${service.url}/api/v1/sessions/s/events`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    const reader = response.body!.getReader();
    await reader.read();
    const startedAt = performance.now();
    const stopped = service.stop();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(await stopped).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(limitMs);
  });

  it('a HEAD request to a stream gets its response at once and opens no stream', async () => {
    covers('INV-WATCH.11');
    const service = await startBuilt({ INVESTIGATION_EVENT_STREAMS_MAX: '1' });
    try {
      await callApi(service, 'POST', '/sessions', { session_id: 's', name: 'n' });
      const url = `${service.url}/api/v1/sessions/s/events`;
      const headers = { authorization: `Bearer ${service.token}` };
      const open = await fetch(url, { headers });
      expect(open.status).toBe(200);
      const head = await fetch(url, { method: 'HEAD', headers });
      expect(head.status).toBe(200);
      expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      await open.body!.cancel();
    } finally {
      await service.stop();
    }
  });
});
