import { describe, expect, it } from '@jest/globals';
import { forDistributedTables, isUniqueViolation } from './sql.ts';

describe('a statement for distributed tables', () => {
  it('a statement for distributed tables has what stands in its comments, and not what they stand for', () => {
    const text = 'SELECT FROM /*-*/a, /*+ +*/b WHERE id = $1 /*+ AND tenant = $2 +*/ /* kept */';
    expect(forDistributedTables(text)).toBe('SELECT FROM  b WHERE id = $1  AND tenant = $2  /* kept */');
  });
});

describe('a violated name on another node', () => {
  it('a unique violation that another node reports in words alone is known by the name without its number', () => {
    const message = 'duplicate key value violates unique constraint "notes_title_key_102009"';
    expect(isUniqueViolation({ code: '23505', message }, 'notes_title_key')).toBe(true);
    expect(isUniqueViolation({ code: '23505', message }, 'title_key')).toBe(false);
    expect(isUniqueViolation({ code: '23503', message }, 'notes_title_key')).toBe(false);
  });
});
