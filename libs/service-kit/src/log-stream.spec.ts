import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { openLogStream } from './log-stream.ts';

let folder: string;
let fifo: string;
let reader: number;
let writer: number;

const openReader = () => openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
/** What has arrived; the empty text while nothing has. */
function read(): string {
  const buffer = Buffer.alloc(1024 * 1024);
  try {
    return buffer.toString('utf8', 0, readSync(reader, buffer));
  } catch {
    return '';
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-stream-'));
  fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  reader = openReader();
  writer = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(writer);
  closeSync(reader);
  rmSync(folder, { recursive: true });
});

describe('the stream of a log', () => {
  it('the stream of a log writes lines in their order, without being told to', async () => {
    let lines = '';
    const stream = openLogStream(writer, () => undefined);
    let sent = '';
    for (let line = 0; line < 1_000; line++) {
      const text = `${line} ${'x'.repeat(40)}\n`;
      sent += text;
      stream.write(text);
    }
    await eventually(() => (lines += read())).toBe(sent);
  });

  it('the stream of a log drops lines that cannot be written, and tells how many once others are', () => {
    covers('PLAT-D.10');
    const lost: number[] = [];
    const stream = openLogStream(writer, (lines) => void lost.push(lines));
    closeSync(reader);
    for (const line of ['a\n', 'b\n']) stream.write(line);
    stream.flushSync();
    stream.write('c\n');
    stream.flushSync();
    reader = openReader();
    expect(lost).toEqual([]);
    stream.write('d\n');
    stream.flushSync();
    stream.write('e\n');
    stream.flushSync();
    expect([lost, read()]).toEqual([[3], 'd\ne\n']);
  });

  it('the stream of a log drops what a full pipe does not take when the process ends, and begins a new line', () => {
    covers('PLAT-D.10');
    const lost: number[] = [];
    const stream = openLogStream(writer, (lines) => void lost.push(lines));
    // What a pipe holds, but for one page.
    writeSync(writer, Buffer.alloc(60 * 1024));
    stream.write(`${'x'.repeat(10_000)}\n`);
    stream.flushSync();
    read();
    stream.write('next\n');
    stream.flushSync();
    expect([lost, read()]).toEqual([[1], '\nnext\n']);
  });

  it('the stream of a log holds a bounded number of lines while a write is under way', () => {
    covers('PLAT-D.10');
    const lost: number[] = [];
    const file = openSync(join(folder, 'log'), 'w');
    const stream = openLogStream(file, (lines) => void lost.push(lines));
    const line = `${'x'.repeat(1024 * 1024)}\n`;
    for (let count = 0; count < 20; count++) stream.write(line);
    stream.flushSync();
    expect(lost).toEqual([11]);
  });
});
