import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect } from '@jest/globals';

/**
 * Runs the first `js` block of a README against the library it documents. Its import lines take names from
 * `library`; a statement that ends in `; // value` must have that value, compared as JSON. Errors: those of
 * the example, and Jest's when a value differs or none is stated.
 */
export async function runReadmeExample(
  readme: string,
  library: Readonly<Record<string, unknown>>,
): Promise<void> {
  const block = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${readme} has no js example`);
  const script = block.replaceAll(/^import \{[^}]*\} from '[^']*';$/gm, '');
  const checked = script.replaceAll(/^(\S.*); \/\/ (.+)$/gm, 'expectValue($1, $2);');
  const checks: [unknown, unknown][] = [];
  const expectValue = (actual: unknown, value: unknown) => checks.push([actual, value]);
  const context = createContext({ ...library, expectValue, Date, TextEncoder });
  await (runInContext(`(async () => {${checked}\n})()`, context) as Promise<void>);
  expect(checks.length).toBeGreaterThan(0);
  for (const [actual, value] of checks)
    expect(JSON.parse(JSON.stringify(actual))).toEqual(JSON.parse(JSON.stringify(value)));
}
