import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { endOfDate, hasShortYear, orderOf, readDate } from './read-dates.ts';

fc.configureGlobal({ seed: SEED });

describe('dates as people write them', () => {
  covers('INV-B.9');
  it.each([
    ['2025-05-31', '2025-05-31'],
    ['2025/5/31', '2025-05-31'],
    ['31/05/2025', '2025-05-31'],
    ['31.5.2025', '2025-05-31'],
    ['31-05-2025', '2025-05-31'],
    ['5 May 2025', '2025-05-05'],
    ['5th of May, 2025', '2025-05-05'],
    ['May 5, 2025', '2025-05-05'],
    ['Sept. 5 2025', '2025-09-05'],
    ['Monday, 5 May 2025', '2025-05-05'],
    ['5-May-2025', '2025-05-05'],
    ['May 2025', '2025-05-01'],
    ['2025-05', '2025-05-01'],
    ['1903', '1903-01-01'],
    ['31/05/2025 14:30', '2025-05-31T14:30:00Z'],
    ['2025-05-31 2:30 pm', '2025-05-31T14:30:00Z'],
    ['2025-05-31T14:30:05Z', '2025-05-31T14:30:05Z'],
    ['2025-05-31T14:30:00+02:00', '2025-05-31T14:30:00+02:00'],
    ['0050-01-02', '0050-01-02'],
    ['20250514', '2025-05-14'],
    ['Q2 2025', '2025-04-01'],
    ['q4/2024', '2024-10-01'],
    ['2025-Q3', '2025-07-01'],
    ['2nd quarter of 2025', '2025-04-01'],
    ['15/May/2025', '2025-05-15'],
    ['5. Juni 1994', '1994-06-05'],
    ['5 de junio de 1994', '1994-06-05'],
    ['1. août 1994', '1994-08-01'],
    ['März 1994', '1994-03-01'],
  ])('the text %p is read as the date %p', (text, date) => {
    expect(readDate(text, 'day-first')).toBe(date);
  });

  it.each([
    'soon',
    '31/02/2025',
    '2025-13-01',
    '31/05/25',
    '15-May-25',
    '20251314',
    'Q5 2025',
    '5 Foo 2025',
    'Marchy 5, 2025',
    '25:00',
    '',
    '1e3',
  ])('an ambiguous or impossible date is refused: %p', (text) => {
    expect(readDate(text, 'day-first')).toBeNull();
  });

  it.each([
    ['15-May-25', '2025-05-15', '1925-05-15'],
    ['31/05/25', '2025-05-31', '1925-05-31'],
    ['31.5.68 14:30', '2068-05-31T14:30:00Z', '1968-05-31T14:30:00Z'],
    ['15 May ’25', '2025-05-15', '1925-05-15'],
    ['May 15, 25', '2025-05-15', '1925-05-15'],
  ])('the date %p is read once the century of its year is known', (text, recent, earlier) => {
    expect(hasShortYear(text)).toBe(true);
    expect(readDate(text, 'day-first', 2000)).toBe(recent);
    expect(readDate(text, 'day-first', 1900)).toBe(earlier);
  });

  it.each(['25-05-14', 'May-25', '15-May-2025', 'soon'])('no century is asked for the text %p', (text) => {
    expect(hasShortYear(text)).toBe(false);
  });

  it.each([
    ['Q2 2025', '2025-06-30T23:59:59Z'],
    ['1903', '1903-12-31T23:59:59Z'],
    ['February 2024', '2024-02-29T23:59:59Z'],
    ['20240229', '2024-02-29T23:59:59Z'],
  ])('what is dated %p ends with it', (text, end) => {
    expect(endOfDate(text, readDate(text, 'day-first')!)).toBe(end);
  });

  it('dates read back in every form they were written in', () => {
    const days = fc.date({ min: new Date('0100-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
    const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    fc.assert(
      fc.property(days, (date) => {
        const [year, month, day] = date.toISOString().slice(0, 10).split('-') as [string, string, string];
        const iso = `${year}-${month}-${day}`;
        expect(readDate(`${day}/${month}/${year}`, 'day-first')).toBe(iso);
        expect(readDate(`${month}/${day}/${year}`, 'month-first')).toBe(iso);
        if (Number(year) >= 1000) expect(readDate(long.format(date), 'month-first')).toBe(iso);
      }),
    );
  });

  it.each([
    [['03/04/2025', '31/05/2025'], 'day-first'],
    [['03/04/2025', '05/31/2025'], 'month-first'],
    [['3.4.2025'], 'day-first'],
    [['03/04/2025', '05/06/2025'], 'ask'],
    [['31/05/2025', '05/31/2025'], 'ask'],
    [['2025-05-31', '5 May 2025', ''], 'none'],
    [['04/04/2025'], 'none'],
    [['Mon, 05/06/2025 14:30'], 'ask'],
    [['03/04/2025', '45/04/2025'], 'ask'],
  ])('dates of a column %p have the order %p', (cells, order) => {
    expect(orderOf(cells)).toBe(order);
  });

  it('a column of dates shows no order where both give the same, and one order where it alone gives all dates', () => {
    const part = fc.integer({ min: 1, max: 40 });
    const cell = fc
      .tuple(part, part, fc.constantFrom('/', '-'), fc.constantFrom('', 'Tue '), fc.constantFrom('', ' 9:05'))
      .map(([a, b, mark, day, time]) => `${day}${a}${mark}${b}${mark}2025${time}`)
      .filter((text) => [readDate(text, 'day-first'), readDate(text, 'month-first')].some(Boolean));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (cells) => {
        const [day, month] = (['day-first', 'month-first'] as const).map((order) =>
          cells.map((text) => readDate(text, order)),
        );
        const [readsDay, readsMonth] = [!day!.includes(null), !month!.includes(null)];
        const same = JSON.stringify(day) === JSON.stringify(month);
        const one = readsDay ? 'day-first' : 'month-first';
        expect(orderOf(cells)).toBe(same ? 'none' : readsDay === readsMonth ? 'ask' : one);
      }),
    );
  });
});
