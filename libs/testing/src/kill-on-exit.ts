import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Ends `child`, with SIGKILL, when this process is gone, however that went. A shell waits on a pipe whose
 * other end only this process holds. An `exit` listener would not do: jest gives tests a `process` of their
 * own, whose `exit` nobody hears, and ends workers by SIGKILL. The shell goes with the child; neither keeps
 * this process alive.
 */
export function killOnExit(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn('sh', ['-c', `read -r _; kill -9 ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A Ctrl-C that ends this process must leave the guard to do its work.
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  // Broken when the guard is told to go; this needs no report.
  guard.stdin.on('error', () => undefined);
  child.once('exit', () => guard.kill('SIGKILL'));
}
