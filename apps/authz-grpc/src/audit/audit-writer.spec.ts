import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import type { AuditEvent } from '../model/audit-event.ts';
import { createAuditWriter } from './audit-writer.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

function event(id: number, tenantId = 't'): AuditEvent {
  return {
    id: String(id),
    time: 0,
    tenantId,
    domainId: 'd',
    subject: 's',
    action: 'a',
    object: 'o',
    decision: true,
    matchedPolicy: '',
    callerId: 'c',
    latencyMicros: 0,
    policyVersion: 1,
    outcome: '',
    operation: '',
    detail: '',
  };
}

const MEBIBYTE = 1024 * 1024;

/** A store whose appends end when the test says so. */
function heldStore() {
  const batches: { events: readonly AuditEvent[]; end: (error?: Error) => void }[] = [];
  return {
    batches,
    append: (events: readonly AuditEvent[]) =>
      new Promise<void>((resolve, reject) =>
        batches.push({ events, end: (error) => (error ? reject(error) : resolve()) }),
      ),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

describe('audit writer', () => {
  it('strict: a response leaves once its row is durable, and gathers what comes meanwhile into one batch', async () => {
    covers('AUTHZ-U.2');
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'strict', queueRowsMax: 100, logger });
    let answered = 0;
    const record = (id: number) => writer.record([event(id)]).then(() => (answered += 1));
    const first = record(1);
    await until(() => store.batches.length === 1);
    const rest = [record(2), record(3), record(4)];
    await turn();
    expect([store.batches.length, answered]).toEqual([1, 0]);
    store.batches[0]?.end();
    await first;
    await until(() => store.batches.length === 2);
    expect(store.batches[1]?.events.map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(answered).toBe(1);
    store.batches[1]?.end();
    await Promise.all(rest);
    await writer.close();
  });

  it('strict: refuses with DEPENDENCY_UNAVAILABLE what cannot be written, and keeps writing afterwards', async () => {
    covers('AUTHZ-U.3');
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'strict', queueRowsMax: 1, logger });
    const failing = writer.record([event(1)]);
    await expect(writer.record([event(2)])).rejects.toMatchObject({ reason: 'DEPENDENCY_UNAVAILABLE' });
    await until(() => store.batches.length === 1);
    store.batches[0]?.end(new Error('away'));
    await expect(failing).rejects.toMatchObject({ reason: 'DEPENDENCY_UNAVAILABLE' });
    const next = writer.record([event(3)]);
    await until(() => store.batches.length === 2);
    store.batches[1]?.end();
    await next;
  });

  it('buffered: a response leaves at once, waits when the queue is full, and counts what is lost', async () => {
    covers('AUTHZ-U.4');
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'buffered', queueRowsMax: 2, logger, retryMs: 1 });
    await writer.record([event(1)]);
    await writer.record([event(2)]);
    let isIn = false;
    const third = writer.record([event(3)]).then(() => (isIn = true));
    await until(() => store.batches.length === 1);
    expect(isIn).toBe(false);
    store.batches[0]?.end();
    await third;
    await until(() => store.batches.length === 2);
    const closing = writer.close();
    store.batches[1]?.end(new Error('away'));
    await closing;
    expect(writer.lost).toBe(1);
  });

  it('the audit writer writes two groups at once when many rows wait, and never two of one tenant', async () => {
    const store = heldStore();
    const writer = createAuditWriter(store, {
      mode: 'strict',
      queueRowsMax: 10_000,
      batchRowsMax: 2,
      logger,
    });
    const responses = Array.from({ length: 600 }, (_, i) =>
      writer.record([event(i, i === 5 ? 'other' : 't')]).then(() => i),
    );
    await until(() => store.batches.length === 2);
    expect(store.batches.map(({ events }) => events.map(({ id }) => id))).toEqual([['0', '1'], ['5']]);
    await turn();
    expect(store.batches).toHaveLength(2);
    store.batches[1]?.end();
    expect(await responses[5]).toBe(5);
    await turn();
    expect(store.batches).toHaveLength(2);
    store.batches[0]?.end();
    expect(await Promise.all([responses[0], responses[1]])).toEqual([0, 1]);
    await until(() => store.batches.length === 3);
    expect(store.batches[2]?.events.map(({ id }) => id)).toEqual(['2', '3']);
    for (let i = 2; i < 300; i += 1) {
      await until(() => store.batches.length > i);
      store.batches[i]?.end();
      await turn();
    }
    while (writer.waiting > 0) {
      store.batches.at(-1)?.end();
      await turn();
    }
    await Promise.all(responses);
  });

  it('the audit writer leaves tenants to the second group when the first is full', async () => {
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'strict', queueRowsMax: 10_000, logger });
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const responses = Array.from({ length: 16 }, (_, i) =>
      writer.record(Array.from({ length: 100 }, (_, row) => event(i * 100 + row, tenants[i % 8]))),
    );
    await until(() => store.batches.length === 2);
    const tenantsOf = (batch: number) => [
      ...new Set(store.batches[batch]?.events.map(({ tenantId }) => tenantId)),
    ];
    expect([tenantsOf(0), tenantsOf(1)]).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      ['f', 'g', 'h'],
    ]);
    expect(store.batches.map(({ events }) => events.length)).toEqual([1_000, 600]);
    for (const batch of store.batches) batch.end();
    await Promise.all(responses);
    await writer.close();
  });

  it('rows of more than a mebibyte are a group by themselves, next to which those of others are written', async () => {
    covers('AUTHZ-K.19');
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'strict', queueRowsMax: 10_000, logger });
    const long = (id: number, tenantId: string, size = MEBIBYTE + 1) => ({
      ...event(id, tenantId),
      detail: 'x'.repeat(size),
    });
    const idsOf = () => store.batches.map(({ events }) => events.map(({ id }) => id));
    const [first, second] = [writer.record([long(1, 'a')]), writer.record([long(2, 'b')])];
    await until(() => store.batches.length === 1);
    const row = writer.record([event(3, 'c')]);
    await until(() => store.batches.length === 2);
    store.batches[1]?.end();
    await row;
    expect(idsOf()).toEqual([['1'], ['3']]);
    store.batches[0]?.end();
    await first;
    await until(() => store.batches.length === 3);
    expect(idsOf()[2]).toEqual(['2']);
    store.batches[2]?.end();
    await second;
    await writer.close();
  });

  it('a group takes about a mebibyte of a tenant, and rows of others nevertheless', async () => {
    covers('AUTHZ-K.19');
    const store = heldStore();
    const writer = createAuditWriter(store, { mode: 'strict', queueRowsMax: 10_000, logger });
    const responses = [1, 2, 3, 4].map((id) =>
      writer.record([{ ...event(id, 'a'), object: 'x'.repeat(MEBIBYTE / 2 + 1) }]),
    );
    responses.push(writer.record([event(5, 'b')]));
    for (const [batch, ids] of [
      ['1', '2', '5'],
      ['3', '4'],
    ].entries()) {
      await until(() => store.batches.length === batch + 1);
      expect(store.batches[batch]?.events.map(({ id }) => id)).toEqual(ids);
      store.batches[batch]?.end();
    }
    await Promise.all(responses);
    await writer.close();
  });
});
