/**
 * Reads cases `[{ file, text }]` as JSON from stdin, lints each text as if it stood in that file, and prints
 * the rule ids that object to each as JSON. The first argument names the rules, separated by commas; all
 * import rules when absent. A process of its own: ESLint loads its configuration in ways that jest's module
 * sandbox does not offer.
 */
import { readFileSync } from 'node:fs';
import { ESLint } from 'eslint';

const IMPORT_RULES = new Set(
  process.argv[2]?.split(',') ?? [
    '@nx/enforce-module-boundaries',
    'no-restricted-imports',
    'no-restricted-syntax',
    'max-len',
  ],
);

const eslint = new ESLint({ ruleFilter: ({ ruleId }) => IMPORT_RULES.has(ruleId) });
const cases = JSON.parse(readFileSync(0, 'utf8')) as { file: string; text: string }[];
const objections: (string | null)[][] = [];
for (const { file, text } of cases) {
  const [result] = await eslint.lintText(text, { filePath: file });
  if (!result) throw new Error(`\`${file}\` is not linted`);
  const fatal = result.messages.find((message) => message.fatal);
  if (fatal) throw new Error(`\`${file}\`: ${fatal.message}`);
  objections.push(result.messages.map((message) => message.ruleId));
}
process.stdout.write(JSON.stringify(objections));
