import type { ActorInput, ReliabilityRecord } from '@platform/opinion-fusion';
import { idHash } from './item-columns.ts';

/** A source as it was sent or stored. */
export type SourceWithRecord = Pick<ActorInput, 'id' | 'reliability_record'>;

/** What the names of records begin with. */
export const RECORD_KEY = 'record ';

/** Names a record of a source of one session among those that the register has written into it. */
export function recordKey(actorId: string, record: ReliabilityRecord): string {
  const { right, statements, base_reliability: base } = record;
  return `${RECORD_KEY}${idHash(JSON.stringify([actorId, right, statements, base])).toString('hex')}`;
}

/** Whether a source has a record that is none of `written`, so that no register of outcomes stands behind. */
export function isForeignRecord(
  { id, reliability_record: record }: SourceWithRecord,
  written: readonly string[],
): boolean {
  return record != null && !written.includes(recordKey(id, record));
}

/** The item without its record. Pure. */
export function withoutRecord<Item extends object>(item: Item): Item {
  const { reliability_record: _, ...rest } = item as Item & { reliability_record?: unknown };
  return rest as Item;
}

/** That the record of a source was dropped, for who sent it. */
export const droppedRecordWarning = (id: string): string =>
  `reliability_record of the source ${JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id)} was left out: it does not come from your register of sources. Its base_reliability, if it has one, counts as stated.`;
