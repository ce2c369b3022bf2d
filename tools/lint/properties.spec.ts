import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = join(import.meta.dirname, '../..');

describe('properties', () => {
  it('properties draw their cases from the one seed by which a run is repeated', () => {
    const specs = globSync('{apps,libs,tools}/**/*.spec.{ts,tsx}', {
      cwd: ROOT,
      ignore: ['**/node_modules/**', '**/dist/**'],
    });
    const checking = specs
      .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
      .filter(({ text }) => /\bfc\.(assert|check|sample)\(/.test(text));
    expect(checking.length).toBeGreaterThan(20);
    const unseeded = checking.filter(({ text }) => !text.includes('\nfc.configureGlobal({ seed: SEED });\n'));
    expect(unseeded.map(({ file }) => file)).toEqual([]);
  });
});
