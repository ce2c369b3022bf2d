import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { sessionPath } from './api.ts';

describe('the path of a resource', () => {
  it('the path of a resource holds any text', () => {
    expect(sessionPath('a/b?c', 'actors', '../é')).toBe('/sessions/a%2Fb%3Fc/actors/..%2F%C3%A9');
  });

  it('the path of a resource is never one that a browser would take for another', () => {
    covers('INV-B.8');
    expect(() => sessionPath('s', 'actors', '..')).toThrow('".."');
    expect(() => sessionPath('.')).toThrow('"."');
  });
});
