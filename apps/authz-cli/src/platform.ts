import { buildProgram } from './program.ts';
import { exitCodeOf } from './exit-codes.ts';
import { Refused } from '@platform/authz-client';

const out = (text: string) => void process.stdout.write(`${text}\n`);

buildProgram({ env: process.env, out, setExitCode: (code) => (process.exitCode = code) })
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const fields = error instanceof Refused ? [...error.fields] : [];
    process.stderr.write(`platform: ${message}\n`);
    for (const [field, why] of fields) process.stderr.write(`  ${field}: ${why}\n`);
    process.exitCode = exitCodeOf(error);
  });
