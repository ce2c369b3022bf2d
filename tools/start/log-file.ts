import { openSync, write } from 'node:fs';
import { Writable } from 'node:stream';

/**
 * A file that takes lines at its end. What it cannot take, as on a full disk, is dropped, and `tell` says so
 * once, and how many bytes when it takes some again: a log is not worth the process that writes it.
 * Errors: none but those of opening it.
 */
export function openLogFile(file: string, tell: (message: string) => void): Writable {
  const fd = openSync(file, 'a');
  let lost = 0;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(fd, chunk, (error, written) => {
        const left = chunk.length - (error === null ? written : 0);
        if (left > 0) {
          if (lost === 0) tell(`${file} cannot be written: ${error?.message ?? 'no space left'}`);
          lost += left;
        } else if (lost > 0) {
          tell(`${file} is written again; ${lost} bytes of it are lost`);
          lost = 0;
        }
        done();
      });
    },
  });
}
