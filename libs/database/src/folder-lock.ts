import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { syncPath } from './sync-path.ts';

/** Another live process has the folder open. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  /**
   * `process 123`, or `another container`, whose process ids mean nothing here, or which is on another
   * machine.
   */
  readonly holder: string;

  constructor(folder: string, holder: string) {
    super(`\`${folder}\` is open in ${holder}: an embedded database belongs to one process at a time`);
    this.holder = holder;
  }
}

export interface LockOptions {
  /** Age at which the lock of a holder on another machine counts as left behind. Milliseconds. */
  readonly staleMs?: number;
  /** How often a holder shows that it lives. Milliseconds. */
  readonly beatMs?: number;
}

/** First characters of the names of locks. */
const PREFIX = '.lock-';
const ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 60;
const BEAT_MS = 1_000;
/** Longer than an event loop is ever blocked by the database within it. */
const STALE_MS = 20_000;

/**
 * Takes `folder`, made if absent, for this process and returns how to give it back. Errors: FolderInUse.
 *
 * Each contender writes a file of its own in the folder, where all see it by whatever path or mount they
 * come, and only then looks for files of others; one that sees a live holder withdraws. Of two that start at
 * once at least one therefore sees the other, so both can lose a round but never can both win, and no step
 * replaces a file that another might just have taken over.
 *
 * The operating system says whether a holder lives: each listens at a socket in the file system, which ends
 * with its process, however that ends, and to which the system itself connects while the process is busy or
 * stopped. It does so over containers, too, as long as they share a kernel. For where it does not (another
 * machine by a network file system, or a file system without sockets) a holder touches its file every second,
 * and one that left no other sign lives while its file is fresh, by the clock of the file system: `staleMs`
 * after a crash its folder is free, for which a contender waits. Why, and the worst case:
 * docs/decisions/0023-lock-of-an-embedded-database.md.
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<() => Promise<void>> {
  const { staleMs = STALE_MS, beatMs = BEAT_MS } = options;
  await makeFolder(folder);
  const deadline = performance.now() + 1.25 * staleMs;
  for (let attempt = 1; ; attempt++) {
    const own = join(folder, `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);
    // Before its file: a contender that sees the file finds the socket listening.
    const server = await listenAt(`${own}.socket`);
    const record = [startOf(process.pid) ?? '', NAMESPACE, server === null ? '' : KERNEL].join('\n');
    try {
      await writeFile(own, record, { mode: 0o600, flag: 'wx' });
      const other = await findLiveHolder(own, staleMs);
      if (other === undefined) return await holdUntilReleased(own, { record, beatMs, server });
      const isOver = other.isCertain ? attempt >= ATTEMPTS : performance.now() > deadline;
      if (isOver) throw new FolderInUse(folder, other.name);
    } catch (error) {
      // This process, which lives, would look like a holder to its own next try.
      await leave(own, server);
      throw error;
    }
    await leave(own, server);
    await pause(ATTEMPT_PAUSE_MS * Math.min(attempt, ATTEMPTS) * (0.5 + Math.random()));
  }
}

/**
 * Writes the same text in place again and again, so that the file system's own clock says that the holder
 * lives.
 */
async function holdUntilReleased(
  own: string,
  { record, beatMs, server }: { record: string; beatMs: number; server: Server | null },
): Promise<() => Promise<void>> {
  const file = await open(own, 'r+');
  const beat = setInterval(() => void file.write(record, 0).catch(() => undefined), beatMs).unref();
  return async () => {
    clearInterval(beat);
    await file.close();
    await leave(own, server);
  };
}

/** The file goes before the socket that shows that it is held. */
async function leave(own: string, server: Server | null): Promise<void> {
  await rm(own, { force: true });
  if (server === null) return;
  await new Promise((resolve) => server.close(resolve));
  await rm(`${own}.socket`, { force: true });
}

interface Holder {
  /** The same as `name` of FolderInUse. */
  readonly name: string;
  /** False for one that is only judged by the age of its file. */
  readonly isCertain: boolean;
}

/** Whether the name in a data folder is that of a lock, or of its socket. */
export function isLock(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The names of all folders that were made on the way are on disk with it. */
async function makeFolder(folder: string): Promise<void> {
  const above = await mkdir(dirname(folder), { recursive: true });
  const own = await mkdir(folder, { recursive: true, mode: 0o700 });
  const first = above ?? own;
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncPath(dirname(made));
}

/** The files of all who hold the folder, or want to. */
async function findLocks(folder: string): Promise<string[]> {
  const inside = (await readdir(folder)).filter(isLock).map((name) => join(folder, name));
  // A version before put them beside the folder, where not everybody may look.
  const [beside, prefix] = [dirname(folder), `${basename(folder)}${PREFIX}`];
  const names = await readdir(beside).catch(() => []);
  const earlier = names.filter((name) => name.startsWith(prefix)).map((name) => join(beside, name));
  return [...inside, ...earlier].filter((path) => !path.endsWith('.socket'));
}

/** A live holder; undefined when there is none. */
async function findLiveHolder(own: string, staleMs: number): Promise<Holder | undefined> {
  const { mtimeMs: now } = await stat(own);
  for (const path of await findLocks(dirname(own))) {
    if (path === own) continue;
    const text = await readFile(path, 'utf8').catch(nullIfGone);
    const touched = await stat(path).catch(nullIfGone);
    if (text === null || touched === null) continue;
    const [started = '', namespace = NAMESPACE, kernel = ''] = text.split('\n');
    // One that is empty is only being written, or lost its text with the power: its process id says nothing.
    const isWritten = text !== '';
    const isHere = isWritten && namespace === NAMESPACE;
    const isOnKernel = kernel !== '' && kernel === KERNEL;
    const pid = Number(basename(path).split(PREFIX).at(-1)!.split('-')[0]);
    const holder = { name: isHere ? `process ${pid}` : 'another container', isCertain: true };
    if ((isOnKernel || !isWritten) && (await isListening(`${path}.socket`))) return holder;
    if (!isOnKernel && isHere && isAlive(pid) && (started === '' || startOf(pid) === started)) return holder;
    if (!isOnKernel && !isHere && now - touched.mtimeMs < staleMs) return { ...holder, isCertain: false };
    // What is left of it changes nothing where it may not be removed.
    await rm(path, { force: true }).catch(() => undefined);
    await rm(`${path}.socket`, { force: true }).catch(() => undefined);
  }
  return undefined;
}

/** Null for what was removed meanwhile. */
function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/**
 * A server at a socket in the file system, open until it is closed or the process ends; null where there can
 * be none.
 */
async function listenAt(path: string): Promise<Server | null> {
  if (KERNEL === '') return null;
  const server = createServer((client) => client.destroy()).unref();
  return withShortPath(path, (short) => {
    return new Promise((resolve) => {
      server.once('error', () => resolve(null));
      server.listen(short, () => resolve(server));
    });
  });
}

/**
 * Whether a process holds the socket. One that cannot be asked counts as held: a folder is never opened
 * twice.
 */
async function isListening(path: string): Promise<boolean> {
  return withShortPath(path, (short) => {
    return new Promise((resolve) => {
      const client = connect(short, () => {
        client.destroy();
        resolve(true);
      });
      client.once('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
      });
    });
  });
}

/** Calls `work` with a path to the same file that fits the 108 bytes of a socket's address (unix(7)). */
async function withShortPath<T>(path: string, work: (short: string) => Promise<T>): Promise<T> {
  const folder: FileHandle = await open(dirname(path), 'r');
  try {
    return await work(`/proc/self/fd/${folder.fd}/${basename(path)}`);
  } finally {
    await folder.close();
  }
}

/**
 * What tells one running kernel from another; empty where there is no such sign, and with it no lock by
 * sockets.
 */
const KERNEL = readOr(bootId);

/**
 * The PID namespace of this process, such as `pid:[4026531836]`, and the machine's boot; empty where unknown.
 */
const NAMESPACE = [readOr(() => readlinkSync('/proc/self/ns/pid')), KERNEL].join(' ').trim();

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

/**
 * When a process started, in clock ticks since boot (proc(5), stat field 22); null where the system does not
 * tell.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
