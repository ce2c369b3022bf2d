import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import { compactDate } from '../model/compact-dates.ts';
import { isStanding } from '../model/reliability.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * Warns of each value of eight digits that may be a day: of one read as a number, and of one read as a day
 * where no claim of its question writes a date with its month. Source: reasoning model §11. Never throws.
 */
export function warnOfCompactDates({ pairs, weighings }: Weighed, warnings: Warnings): void {
  for (const { subject, predicate, claims } of pairs) {
    const told = new Set<string>();
    let hasDate: boolean | null = null;
    for (const claim of claims) {
      const { kind, key } = claim.value;
      if ((kind !== 'number' && kind !== 'date') || told.has(key)) continue;
      const day = compactDate(claim.input.value);
      if (day === null || !isStanding(claim) || weighings[claim.index]!.belowFloor) continue;
      told.add(key);
      const value = `The value ${quote(claim.input.value)} of claim ${quote(claim.id)} on ${quote(predicate)} of ${quote(subject.id)}`;
      const number = Number(day.replaceAll('-', '')).toLocaleString('en-US');
      if (kind === 'number') {
        warnings.add(
          'date_or_number',
          claim.id,
          `${value} was read as the number ${number}; write \`${day}\` if a date is meant, or \`${number}\`.`,
        );
        continue;
      }
      hasDate ??= claims.some(
        (other) =>
          other.value.kind === 'date' && other.value.year === null && compactDate(other.input.value) === null,
      );
      if (!hasDate)
        warnings.add(
          'date_or_number',
          claim.id,
          `${value} was read as the date ${day}, because other values on its question may be dates, too; write \`${day}\` if a date is meant, or \`${number}\`.`,
        );
    }
  }
}
