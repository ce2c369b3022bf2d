import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Another live process has the folder open. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  /** `process 123`, or `another container`, whose process ids mean nothing here. */
  readonly holder: string;

  constructor(folder: string, holder: string) {
    super(`\`${folder}\` is open in ${holder}: an embedded database belongs to one process at a time`);
    this.holder = holder;
  }
}

export interface LockOptions {
  /** Age at which the lock of a holder in another container counts as left behind. Milliseconds. */
  readonly staleMs?: number;
  /** How often a holder shows that it lives. Milliseconds. */
  readonly beatMs?: number;
}

const ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 60;
const BEAT_MS = 1_000;
/** Longer than an event loop is ever blocked by the database within it. */
const STALE_MS = 20_000;

/**
 * Takes `folder` for this process and returns how to give it back. Errors: FolderInUse.
 *
 * Each contender writes a file of its own beside the folder and only then looks for files of others; one that sees a
 * live holder withdraws. Of two that start at once at least one therefore sees the other, so both can lose a round but
 * never can both win, and no step replaces a file that another might just have taken over.
 *
 * A holder in the same PID namespace lives while its process does (a process id that was reused is told by its start).
 * Process ids of another container say nothing, so a holder touches its file every second: one elsewhere lives while its
 * file is fresh, by the clock of the file system. After a crash in another container the folder is free once `staleMs`
 * have passed, for which a contender waits. Node has no lock of the operating system on files.
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<() => Promise<void>> {
  const { staleMs = STALE_MS, beatMs = BEAT_MS } = options;
  const beside = dirname(folder);
  const prefix = `${basename(folder)}.lock-`;
  await mkdir(beside, { recursive: true });
  const deadline = performance.now() + 1.25 * staleMs;
  for (let attempt = 1; ; attempt++) {
    const own = join(beside, `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`);
    const text = `${startOf(process.pid) ?? ''}\n${NAMESPACE}`;
    await writeFile(own, text, { mode: 0o600, flag: 'wx' });
    const other = await findLiveHolder(own, prefix, staleMs);
    if (other === undefined) return holdUntilReleased(own, { text, beatMs });
    await rm(own, { force: true });
    const isOver = other === null ? performance.now() > deadline : attempt >= ATTEMPTS;
    if (isOver) throw new FolderInUse(folder, other === null ? 'another container' : `process ${other}`);
    await pause(ATTEMPT_PAUSE_MS * Math.min(attempt, ATTEMPTS) * (0.5 + Math.random()));
  }
}

/** Writes the same text in place again and again, so that the file system's own clock says that the holder lives. */
async function holdUntilReleased(
  own: string,
  { text, beatMs }: { text: string; beatMs: number },
): Promise<() => Promise<void>> {
  const file = await open(own, 'r+');
  const beat = setInterval(() => void file.write(text, 0).catch(() => undefined), beatMs).unref();
  return async () => {
    clearInterval(beat);
    await file.close();
    await rm(own, { force: true });
  };
}

/** The process id of a live holder, null for one in another container, undefined when there is none. */
async function findLiveHolder(
  own: string,
  prefix: string,
  staleMs: number,
): Promise<number | null | undefined> {
  const beside = dirname(own);
  const { mtimeMs: now } = await stat(own);
  for (const file of await readdir(beside)) {
    const path = join(beside, file);
    if (!file.startsWith(prefix) || path === own) continue;
    const text = await readFile(path, 'utf8').catch(() => null);
    const touched = await stat(path).catch(() => null);
    if (text === null || touched === null) continue;
    const [started = '', namespace = NAMESPACE] = text.split('\n');
    const pid = Number(file.slice(prefix.length).split('-')[0]);
    if (namespace === NAMESPACE) {
      if (isAlive(pid) && (started === '' || startOf(pid) === started)) return pid;
    } else if (now - touched.mtimeMs < staleMs) return null;
    await rm(path, { force: true });
  }
  return undefined;
}

/** The PID namespace of this process, such as `pid:[4026531836]`, and the machine's boot; empty where unknown. */
const NAMESPACE = [readOr(() => readlinkSync('/proc/self/ns/pid')), readOr(bootId)].join(' ').trim();

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
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
