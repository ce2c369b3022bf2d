#!/usr/bin/env node
import { Refused } from '@platform/authz-client';
import { CommanderError } from 'commander';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { buildProgram } from './program.ts';

// A reader that stops early, as `head` does, is no error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit());

const out = (text: string) => void process.stdout.write(`${text}\n`);

buildProgram({ env: process.env, out, setExitCode: (code) => (process.exitCode = code) })
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    const fields = error instanceof Refused ? [...error.fields] : [];
    process.stderr.write(`platform: ${message}\n`);
    for (const [field, why] of fields) process.stderr.write(`  ${field}: ${why}\n`);
    process.exitCode = exitCodeOf(error);
  });
