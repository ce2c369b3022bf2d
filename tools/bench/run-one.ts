/** Child of `run.ts`: one benchmark, given by its file; writes its rows as JSON to the output file. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunBench } from '@platform/testing';

const [file, output] = process.argv.slice(2) as [string, string];
const { run } = (await import(pathToFileURL(resolve(file)).href)) as { run: RunBench };
writeFileSync(output, JSON.stringify(await run()));
