import type { Problems } from './invalid-investigation.ts';
import type { ActorInput, ReliabilityRecord } from './types.ts';

/**
 * The record that the base_reliability of a source comes from; null where it was given by hand, also after a
 * record had given another one. Pure.
 */
export function recordBehind({ base_reliability: base, reliability_record: record }: ActorInput) {
  if (base == null || record == null || record.base_reliability !== base) return null;
  const { right, statements } = record;
  return { right, statements } satisfies Partial<ReliabilityRecord>;
}

/** Adds the problem of a record with more right statements than statements. */
export function checkReliabilityRecord(
  { right, statements }: Readonly<Record<string, unknown>>,
  path: string,
  problems: Problems,
): void {
  if (typeof right === 'number' && typeof statements === 'number' && right > statements)
    problems.add(
      `${path === '' ? '' : `${path}.`}right`,
      `must be at most statements, ${statements}, not ${right}`,
    );
}
