import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { buildForBrowsers } from './browser-size.fixture.ts';

it('verifying, deciding and following take at most 12 kB compressed, and nothing of Node, a package or the regexes', async () => {
  covers('AUTHZ-BUNDLE.9');
  const { code, compressed, inputs } = await buildForBrowsers([
    'openDecider',
    'verifyBundle',
    'compileBundle',
  ]);
  expect(compressed).toBeLessThanOrEqual(12_000);
  expect(compressed).toBeGreaterThan(4_000);
  expect(inputs.filter((file) => /node_modules|^node:|\/regex\//.test(file))).toEqual([]);
  expect(code).not.toMatch(/\bBuffer\b|\bprocess\b|\brequire\(/);
});
