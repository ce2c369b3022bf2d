import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed, licencesPage, productionPackages } from './licences.ts';

const root = join(import.meta.dirname, '../..');
const listed = productionPackages(root);
writeFileSync(join(root, 'docs/licences.md'), licencesPage(listed));
const refused = listed.filter(({ licence }) => !isAllowed(licence));
console.log(`${listed.length} packages, ${refused.length} with a licence outside the list`);
for (const { name, version, licence } of refused) console.log(`${name} ${version}: ${licence}`);
if (refused.length > 0) process.exitCode = 1;
