/**
 * `npm run requirements`: fails when an active requirement has no test that cites it, a test cites an id that
 * does not exist or is still said to be planned, or has an id in its title in place of `covers()`. `--report`
 * prints the whole table as Markdown.
 */
import { globSync } from 'tinyglobby';
import { readOptions } from '../command-line.ts';
import { BadRequirements, readCoverage, type Coverage, type Requirement } from './requirements.ts';

const options = readOptions(import.meta.filename, { report: { type: 'boolean' } });
const requirementFiles = globSync('docs/requirements/*.yaml').sort();
// The gate's own spec is about ids that exist only in its fixtures; a clone runs no conformance suite.
const testFiles = globSync(['{apps,libs,tools,proto}/**/*.spec.ts', '{apps,libs}/**/*.contract.ts'], {
  ignore: ['**/node_modules/**', '**/dist/**', 'tools/requirements-gate/**', '**/*.conformance.spec.ts'],
}).sort();

try {
  const { requirements, coverage, stray } = readCoverage(requirementFiles, testFiles);
  if (options.report) report(requirements, coverage);
  summarise(requirements, coverage);
  for (const { file, text } of stray)
    console.log(`in a title    ${text}  in ${file}: move the id into covers()`);
  const open =
    stray.length + coverage.uncovered.length + coverage.unknown.length + coverage.early.length === 0;
  process.exitCode = requirements.length > 0 && open ? 0 : 1;
} catch (err) {
  if (!(err instanceof BadRequirements)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}

function summarise(requirements: Requirement[], coverage: Coverage): void {
  for (const { id, text } of coverage.uncovered) console.log(`not tested   ${id}  ${text}`);
  for (const { id, file } of coverage.unknown) console.log(`no such id   ${id}  cited by ${file}`);
  for (const { id, file } of coverage.early) {
    console.log(
      `not planned  ${id}  has a test (${coverage.citedBy.get(id)?.join(', ')}): make it active in ${file}`,
    );
  }
  for (const file of requirementFiles) {
    const own = requirements.filter((requirement) => requirement.file === file);
    const active = own.filter(({ status }) => status === 'active');
    const tested = active.filter(({ id }) => coverage.citedBy.has(id));
    console.log(
      `${file}: ${tested.length} of ${active.length} tested, ${own.length - active.length} planned`,
    );
  }
}

function report(requirements: Requirement[], coverage: Coverage): void {
  console.log('| id | requirement | source | tests |\n|---|---|---|---|');
  for (const { id, text, source, status } of requirements) {
    const tests = status === 'planned' ? 'planned' : (coverage.citedBy.get(id)?.join('<br>') ?? '**none**');
    console.log(`| ${id} | ${text} | ${source} | ${tests} |`);
  }
}
