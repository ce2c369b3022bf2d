import { describe, it } from '@jest/globals';
import { runReadmeExample } from '@platform/testing/readme';
import * as library from './index.ts';

describe('README', () => {
  it('shows an example that gives the values it states', () => {
    runReadmeExample(new URL('../README.md', import.meta.url), { ...library, Date });
  });
});
