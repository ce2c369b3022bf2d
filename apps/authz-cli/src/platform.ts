#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { errorText } from './output.ts';
import { buildProgram } from './program.ts';
import { askSecret, confirm } from './questions.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early, as `head` does, is no error.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`platform: the output could not be written: ${error.message}\n`);
  process.exit(EXIT.usage);
});
// Nobody reads the notes any more: what is asked for is done all the same.
process.stderr.on('error', () => {});

// grpc-js names the server by the address that it was given, also where that is not a name. Node warns of it
// before every command, and nobody who runs one can do anything about it.
const SERVER_NAME_IS_ADDRESS = 'DEP0123';
const warn = process.emitWarning.bind(process) as (...args: unknown[]) => void;
process.emitWarning = (...args: unknown[]) => {
  if (!args.includes(SERVER_NAME_IS_ADDRESS)) warn(...args);
};

const out = (text: string) => void process.stdout.write(`${text}\n`);

const ERASE_LINE = '\r\u001B[K';
const progress = (text: string) => void process.stderr.write(`${ERASE_LINE}${text}`);

buildProgram({
  env: process.env,
  out,
  setExitCode: (code) => (process.exitCode = code),
  note: (text) => void process.stderr.write(`${text}\n`),
  ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  ...(process.stderr.isTTY ? { progress } : {}),
  ...(process.stdin.isTTY ? { askSecret } : {}),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm } : {}),
})
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    process.stderr.write(`${errorText(error, process.argv.includes('--json'))}\n`);
    process.exitCode = exitCodeOf(error);
  });
