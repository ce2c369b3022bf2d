import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CONFIG } from './config.ts';

describe('the README', () => {
  it('the README holds the table of settings as the definition has them', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const cells = (table: string) => table.replace(/ *\| */g, '|').replace(/-{3,}/g, '---');
    expect(cells(readme)).toContain(cells(CONFIG.table()).trim());
  });
});
