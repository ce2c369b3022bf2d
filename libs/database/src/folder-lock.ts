import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Another live process has the folder open. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  /** Process that has it. */
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`\`${folder}\` is open in process ${pid}: an embedded database belongs to one process at a time`);
    this.pid = pid;
  }
}

const ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 60;

/**
 * Takes `folder` for this process and returns how to give it back. A holder that died without giving back is noticed
 * (its process is gone, or the id now belongs to a process that started at another moment) and cleared away.
 * Errors: FolderInUse.
 *
 * Each contender writes a file of its own beside the folder and only then looks for files of others; one that sees a
 * live one withdraws. Of two that start at once at least one therefore sees the other, so both can lose a round but
 * never can both win, and no step replaces a file that another might just have taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const beside = dirname(folder);
  const prefix = `${basename(folder)}.lock-`;
  await mkdir(beside, { recursive: true });
  for (let attempt = 1; ; attempt++) {
    const own = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`;
    await writeFile(join(beside, own), startOf(process.pid) ?? '', { mode: 0o600, flag: 'wx' });
    const other = await findLiveHolder(beside, prefix, own);
    if (other === null) return () => rm(join(beside, own), { force: true });
    await rm(join(beside, own), { force: true });
    if (attempt === ATTEMPTS) throw new FolderInUse(folder, other);
    await pause(ATTEMPT_PAUSE_MS * attempt * (0.5 + Math.random()));
  }
}

async function findLiveHolder(beside: string, prefix: string, own: string): Promise<number | null> {
  for (const file of await readdir(beside)) {
    if (!file.startsWith(prefix) || file === own) continue;
    const pid = Number(file.slice(prefix.length).split('-')[0]);
    const started = await readFile(join(beside, file), 'utf8').catch(() => null);
    if (started === null) continue;
    if (isAlive(pid) && (started === '' || startOf(pid) === started)) return pid;
    await rm(join(beside, file), { force: true });
  }
  return null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, in clock ticks since boot (proc(5), stat field 22); null where the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in parentheses and may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
