import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed, licensesPage, productionPackages } from './licenses.ts';

const root = join(import.meta.dirname, '../..');
const listed = productionPackages(root);
writeFileSync(join(root, 'docs/licenses.md'), licensesPage(listed));
const refused = listed.filter(({ license }) => !isAllowed(license));
console.log(`${listed.length} packages, ${refused.length} with a license outside the list`);
for (const { name, version, license } of refused) console.log(`${name} ${version}: ${license}`);
if (refused.length > 0) process.exitCode = 1;
