import type { EntityKind } from '@platform/opinion-fusion';

/** Which item of a session's lists. Ids are any strings at all, NUL and lone surrogates included. */
export interface EntityRef {
  readonly kind: EntityKind;
  readonly id: string;
}

/** An item with its JSON text, an object that carries `id` itself. It is kept and given back to the byte. */
export interface Entity extends EntityRef {
  readonly body: string;
}

/** Puts an item in front of another one of its list, or at the end. */
export interface Move extends EntityRef {
  /** Id of the item that it then stands before; null = it stands last. */
  readonly before: string | null;
}

/**
 * The investigation beside its lists (research_question, domain, …): JSON values by field name, undefined =
 * not there.
 */
export type SessionSettings = Readonly<Record<string, unknown>>;
