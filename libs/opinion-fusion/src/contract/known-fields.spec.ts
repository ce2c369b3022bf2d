import { describe, expect, it } from '@jest/globals';
import { investigation, claim } from '../fixtures/investigation.fixture.ts';
import { knownFields } from './known-fields.ts';

describe('the known fields of an input', () => {
  it('an input of known fields alone stays the same object', () => {
    const input = investigation([claim('c', 'a', 'red')]);
    expect(knownFields(input).input).toBe(input);
  });

  it('unknown fields go at any depth, and what a list of them leaves is kept in order', () => {
    const note = { note: 'x', toString: 1 };
    const link = { relationship_type: 'complements', target_claim_id: 'd' };
    const [first, second] = [claim('c', 'a', 'red'), claim('d', 'a', 'red')];
    const whole = investigation([{ ...first, relationships: [link] }, second]);
    const noted = {
      ...whole,
      ...note,
      claims: [{ ...first, ...note, relationships: [{ ...link, ...note }] }, second],
    };
    expect(knownFields(noted).input).toEqual(whole);
    expect(JSON.stringify(knownFields(noted))).not.toContain('note');
  });

  it('the used fields are counted by object, and null counts as absent', () => {
    const { used } = knownFields(
      investigation([{ ...claim('c', 'a', 'red'), quote: 'Red.', url: null }, claim('d', 'a', 'red')]),
    );
    expect(used).toContainEqual({ object: 'ClaimInput', field: 'quote', count: 1 });
    expect(used).toContainEqual({ object: 'ClaimInput', field: 'value', count: 2 });
    expect(used.map(({ field }) => field)).not.toContain('url');
  });
});
