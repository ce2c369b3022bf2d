/**
 * `npm run licenses`: writes docs/licenses.md, the license of every package that runs in production. Exit
 * code 1 when one is outside the list of allowed licenses.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../command-line.ts';
import { isAllowed, licensesPage, productionPackages } from './licenses.ts';

readOptions(import.meta.filename, {});
const root = join(import.meta.dirname, '../..');
const listed = productionPackages(root);
writeFileSync(join(root, 'docs/licenses.md'), licensesPage(listed));
const refused = listed.filter(({ license }) => !isAllowed(license));
console.log(`${listed.length} packages, ${refused.length} with a license outside the list`);
for (const { name, version, license } of refused) console.log(`${name} ${version}: ${license}`);
if (refused.length > 0) process.exitCode = 1;
