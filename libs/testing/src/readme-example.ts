import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/**
 * Runs the first `js` block of a README against the library it documents. Its import lines take names from `library`; a
 * statement that ends in `; // value` must have that value, compared as JSON.
 */
export function runReadmeExample(readme: URL, library: Readonly<Record<string, unknown>>): void {
  const block = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${readme.pathname} has no js example`);
  const script = block.replaceAll(/^import \{[^}]*\} from '[^']*';$/gm, '');
  const checked = script.replaceAll(/^(\S.*); \/\/ (.+)$/gm, 'expectValue($1, $2);');
  const checks: [unknown, unknown][] = [];
  const expectValue = (actual: unknown, value: unknown) => checks.push([actual, value]);
  runInNewContext(checked, { ...library, expectValue });
  expect(checks.length).toBeGreaterThan(0);
  for (const [actual, value] of checks)
    expect(JSON.parse(JSON.stringify(actual))).toEqual(JSON.parse(JSON.stringify(value)));
}
