import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { relatedStatements } from './related-statements.ts';
import { StatementTree } from './statement-tree.ts';
import { AGREE, CONFLICT, relation } from './statements.ts';
import type { StatementGroup } from './statements.ts';
import { ValueOrder } from './value-order.ts';
import { isWithoutUnit, parseValue, withUnit } from './value.ts';

fc.configureGlobal({ seed: SEED });

const OPEN = { from: -Infinity, to: Infinity };

function statement(raw: string, denies: boolean, time: { from: number; to: number }): StatementGroup {
  return { index: 0, value: parseValue(raw), denies, ...time, claims: [] };
}

/** Statements that count how often one of them is looked at. */
function counting(count: number, of: (i: number) => StatementGroup) {
  const looks = { count: 0 };
  const groups = Array.from({ length: count }, (_, i) => {
    const { value, ...rest } = of(i);
    const counted = {
      ...rest,
      get value() {
        looks.count += 1;
        return value;
      },
    };
    return counted;
  });
  return { groups, looks };
}

const raw = fc.oneof(
  fc.integer({ min: -30, max: 60 }).map(String),
  fc.integer({ min: 1995, max: 2030 }).map(String),
  fc.integer({ min: 1900, max: 2100 }).map((amount) => `${amount} km`),
  fc.integer({ min: 95, max: 106 }).map((year) => `${year} BC`),
  fc.integer({ min: 95, max: 106 }).map((year) => `${year} AD`),
  fc.integer({ min: 95, max: 106 }).map((year) => `circa ${year} AD`),
  fc.integer({ min: 95, max: 106 }).map((year) => `circa ${year} BC`),
  fc.integer({ min: 1995, max: 2030 }).map((year) => `circa ${year}`),
  fc.integer({ min: 1, max: 9 }).map((month) => `2019-0${month}`),
  fc.integer({ min: 10, max: 28 }).map((day) => `2019-03-${day}`),
  fc.constantFrom(
    'yes',
    'no',
    'red',
    'blue',
    '2K',
    'circa 2019',
    '2019-03-14T10:00:00Z',
    '0',
    '0.0',
    '-0',
    '5%',
  ),
  // At the tolerance, and so near it that rounding decides.
  fc.constantFrom('95', '100', '105.26315789473', '105.263157894737', '94.99999999995', '94.9999999995'),
);
const time = fc.oneof(
  fc.constant(OPEN),
  fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 40 })).map(([from, length]) => ({
    from,
    to: from + length,
  })),
  fc.integer({ min: 0, max: 40 }).map((from) => ({ from, to: Infinity })),
);

describe('relatedStatements', () => {
  it('relatedStatements finds the same pairs as comparing each with each', () => {
    covers('INV-R5.1');
    const groups = fc.oneof(
      fc.array(fc.tuple(raw, fc.boolean(), time), { maxLength: 80, size: 'max' }),
      fc.array(fc.tuple(raw, fc.boolean(), fc.constant(OPEN)), { maxLength: 80, size: 'max' }),
    );
    fc.assert(
      fc.property(groups, fc.constantFrom('', 'kilometre'), (list, unit) => {
        const statements = list.map(([text, denies, when]) => {
          const written = parseValue(text);
          const value = unit !== '' && isWithoutUnit(written) ? withUnit(written, unit) : written;
          return { ...statement(text, denies && value.kind !== 'boolean', when), value };
        });
        const related = relatedStatements(statements);
        statements.forEach((one, position) => {
          const those = (wanted: number) =>
            statements.flatMap((other, at) => (relation(one, other) === wanted ? [at] : []));
          expect(related.agreeing(position)).toEqual(those(AGREE));
          expect(related.conflicting(position)).toEqual(those(CONFLICT));
          const visited: number[] = [];
          related.visitConflicting(position, (other) => {
            visited.push(other);
          });
          expect(visited.sort((a, b) => a - b)).toEqual(those(CONFLICT));
        });
      }),
    );
  });

  it('relatedStatements adds up and finds the largest as a full comparison does', () => {
    const list = fc.array(fc.tuple(raw, fc.boolean(), time, fc.nat(9)), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(list, (given) => {
        const statements = given.map(([text, denies, when]) => {
          const value = parseValue(text);
          return statement(text, denies && value.kind !== 'boolean', when);
        });
        const related = relatedStatements(statements);
        const numbers = given.map(([, , , number]) => number);
        const sums = related.sums(Int32Array.from(numbers));
        const largest = related.largest(Float64Array.from(numbers));
        statements.forEach((_, position) => {
          const agreed = related.agreeing(position).map((other) => numbers[other]!);
          const conflicting = related.conflicting(position).map((other) => numbers[other]!);
          const sum = (some: number[]) => some.reduce((a, b) => a + b, 0);
          expect(sums.agreeing(position)).toBe(sum(agreed));
          expect(sums.conflicting(position)).toBe(sum(conflicting));
          expect(largest.agreeing(position)).toBe(Math.max(0, ...agreed));
          expect(largest.conflicting(position)).toBe(Math.max(0, ...conflicting));
        });
      }),
    );
  });

  it.each([
    ['near numbers', (i: number) => statement(String(1_000_000 + i), false, OPEN)],
    ['numbers near to some others', (i: number) => statement(String(1000 * 1.001 ** i), false, OPEN)],
    ['nested times of one value', (i: number) => statement('v', false, { from: i, to: 4000 - i })],
    ['times that begin one after the other', (i: number) => statement('v', false, { from: i, to: i + 500 })],
  ])('relatedStatements finds those that agree in few spans: %s', (_, of) => {
    covers('INV-L.2');
    const groups = Array.from({ length: 1800 }, (__, i) => of(i));
    const values = new ValueOrder(groups.map(({ value }) => value));
    const ranks = Int32Array.from(groups, ({ value }) => values.rankOf(value));
    const tree = new StatementTree(groups, [...groups.keys()], ranks);
    let spans = 0;
    for (const [position, group] of groups.entries())
      tree.visit(values.agreeing(ranks[position]!), group, () => {
        spans += 1;
      });
    expect(spans).toBeLessThan(groups.length * 120);
  });

  it.each([
    ['denials of different values', (i: number) => statement(`v${i}`, true, OPEN)],
    ['denials of numbers far apart', (i: number) => statement(String(2 ** (i % 900)), true, OPEN)],
    ['one value at different times', (i: number) => statement('v', false, { from: i, to: i + 1 })],
    ['different values at different times', (i: number) => statement(`v${i}`, false, { from: i, to: i + 1 })],
    [
      'one value at short times within one long',
      (i: number) => statement('v', i % 2 === 0, { from: i, to: i + 2 }),
    ],
  ])('relatedStatements looks at few statements for each: %s', (_, of) => {
    covers('INV-L.2');
    const count = 900;
    const { groups, looks } = counting(count, of);
    const related = relatedStatements(groups);
    for (let position = 0; position < count; position += 1) {
      related.agreeing(position);
      related.conflicting(position);
    }
    expect(looks.count).toBeLessThan(count * 40);
  });

  it('relatedStatements ends a visit on request', () => {
    const groups = Array.from({ length: 40 }, (_, i) => statement(`v${i}`, false, OPEN));
    let visits = 0;
    relatedStatements(groups).visitConflicting(0, () => (visits += 1) === 3);
    expect(visits).toBe(3);
  });
});
