import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { EntityKind } from '@platform/opinion-fusion';
import type { Entity, EntityRef } from '../model/entity.ts';
import { textOf, type TextPieces } from '../model/text-pieces.ts';
import type { NewSession, SessionChange, SessionRef, SessionStore } from './session-store.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** A time by its number. */
export const at = (milliseconds: number) => new Date(START + milliseconds);

/** An item with an id and what else is given. */
export function entity(kind: EntityKind, id: string, more: Record<string, unknown> = {}): Entity {
  return { kind, id, body: JSON.stringify({ id, ...more }) };
}

/** A value as its JSON. */
export const json = (value: unknown) => JSON.stringify(value);

const textOrNull = (pieces: TextPieces | null) => (pieces === null ? null : textOf(pieces));

/** The text of a payload. */
export async function payloadOf(store: SessionStore, ref: SessionRef): Promise<string | null> {
  return textOrNull(await store.readPayload(ref));
}

/** The text of a list. */
export async function listOf(store: SessionStore, ref: SessionRef, kind: EntityKind): Promise<string | null> {
  return textOrNull(await store.listEntities(ref, kind));
}

/** The text of an item, or the word for what is missing: the session or the item. */
export async function itemOf(store: SessionStore, ref: SessionRef, item: EntityRef): Promise<string> {
  const found = await store.readEntity(ref, item);
  return typeof found === 'string' ? found : textOf(found.body);
}

/** Makes a session of its own tenant; what matters to a test is given. */
export async function newSession(store: SessionStore, given: Partial<NewSession> = {}): Promise<SessionRef> {
  const ref = given.ref ?? { tenantId: randomUUID(), sessionId: 'session' };
  const session = { ref, ownerId: 'owner', name: 'Name', settings: {}, entities: [], now: at(0), ...given };
  expect(await store.create(session)).toBe('created');
  return ref;
}

/** A change of a session; what matters to a test is given. */
export function change(given: Partial<SessionChange>): SessionChange {
  return { payloadBytesMax: 2 ** 30, now: at(1), ...given };
}

/**
 * Saves a judgement of a session, as it is or was read at `revision`, and gives its id.
 */
export async function judge(
  store: SessionStore,
  ref: SessionRef,
  judgedAt: Date,
  result: unknown = {},
  revision?: number,
): Promise<string> {
  const id = randomUUID();
  revision ??= (await store.readHead(ref))!.revision;
  const inputSnapshot = json({ in: id });
  const judgement = { id, judgedAt, durationMs: 7, inputSnapshot, result: json(result), revision };
  expect(await store.saveJudgement(ref, judgement)).toBe(true);
  return id;
}
