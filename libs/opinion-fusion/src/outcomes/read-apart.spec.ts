import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { readApart } from './read-apart.ts';

describe('the caution of an outcome that nearly says what was judged', () => {
  it.each([
    ['1.2e3', '1,200'],
    ['1,200', '1.2E+3'],
    ['1.200', '1,200'],
    ['1.234.567 t', '1,234,567 t'],
    ['12,5', '12.5'],
    ['1.234,5 km', '1234.5 km'],
  ])('an outcome `%s` for a judged `%s` is said to be another number, or a text', (outcome, said) => {
    covers('INV-O.11');
    const caution = readApart(outcome, said);
    expect(caution).toContain(`\`${outcome}\` (read as `);
    expect(caution).toContain(`\`${said}\` (read as `);
    expect(readApart(said, outcome)).not.toBeNull();
  });

  it.each([
    ['Zurich', 'Zürich'],
    ['STRASSE', 'Straße'],
    ['Wright, Wilbur', 'Wilbur Wright'],
    ['São Paulo 2', 'sao-paulo 2'],
    ['Αθηνα', 'Αθήνα'],
    ['J. Smith', 'John Smith'],
    ['12 May.', '12 May'],
    ['True!', 'yes'],
  ])('an outcome `%s` for a judged `%s` is said to be another text', (outcome, said) => {
    covers('INV-O.11');
    expect(readApart(outcome, said)).toBe(
      `\`${outcome}\` and \`${said}\` were compared as different values, although they look like two spellings of one. Write the outcome as the claims do.`,
    );
    expect(readApart(said, outcome)).not.toBeNull();
  });

  it.each([
    ['Zürich', 'Bern'],
    ['zürich', 'Zürich'],
    ['1.2e3', '1,300'],
    ['12.5', '125'],
    ['300', '301'],
    ['true', 'false'],
    ['', 'Bern'],
    ['!', '?'],
    ['1,200', '1200'],
  ])('an outcome `%s` for a judged `%s` needs no caution', (outcome, said) => {
    covers('INV-O.11');
    expect(readApart(outcome, said)).toBeNull();
  });
});
