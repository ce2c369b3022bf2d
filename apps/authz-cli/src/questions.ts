import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from './exit-codes.ts';

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks at the terminal, on standard error, so that what is printed can be piped. Answers null where the user
 * ends the input (Ctrl-D); throws Interrupted at Ctrl-C.
 */
async function ask(question: string, { isSecret }: { isSecret: boolean }): Promise<string | null> {
  const output = isSecret ? nowhere() : process.stderr;
  // Only a terminal in raw mode does not show what is typed: the question comes after it.
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  if (isSecret) process.stderr.write(question);
  lines.setPrompt(question);
  lines.prompt();
  let line: string | null = null;
  try {
    line = await new Promise<string | null>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(null));
      lines.once('SIGINT', () => reject(new Interrupted()));
    });
    return line;
  } finally {
    lines.close();
    if (isSecret || line === null) process.stderr.write('\n');
  }
}

/** Whether the user answers yes. */
export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, { isSecret: false });
  return /^y(es)?$/i.test((answer ?? '').trim());
}

/** What the user types, which is not shown; null where they end the input. */
export function askSecret(label: string): Promise<string | null> {
  return ask(`${label}: `, { isSecret: true });
}
