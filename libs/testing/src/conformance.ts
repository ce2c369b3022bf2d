import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * The folder of the third-party suites: CONFORMANCE_DIR, or `../shared/conformance` seen from the repository.
 */
const FOLDER = process.env['CONFORMANCE_DIR'] ?? '../shared/conformance';

/**
 * One third-party suite, as its JSON file holds it. The files are other projects' work and lie outside the
 * repository, so only a `*.conformance.spec.ts` may ask for one: `npm run conformance` runs these, `npm test`
 * does not. Errors: the folder or the file is missing; the message names CONFORMANCE_DIR.
 */
export function readConformanceSuite<Suite>(file: string): Suite {
  const path = join(isAbsolute(FOLDER) ? FOLDER : join(ROOT, FOLDER), file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${path}: set CONFORMANCE_DIR to the folder that holds ${file}`, { cause });
  }
  return JSON.parse(text) as Suite;
}
