/** The part of package-lock.json (version 3) that is used. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const OS = /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?:$|-)/;
const CPU = /-(arm64|aarch64|armv7|arm|x64|ia32|ppc64|s390x|riscv64|loong64|mips64el|wasm32)(?:$|-)/;
/** Where a name does not use Node's word for a processor. */
const CPU_OF: Readonly<Record<string, string>> = { aarch64: 'arm64', armv7: 'arm' };

/** Entries for the optional dependencies of an exact version that the lock file does not hold, by place. */
export function missingPackages({ packages }: Lockfile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {};
  for (const [place, { optionalDependencies, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
      if (!EXACT.test(version) || isFound(packages, place, name)) continue;
      missing[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

/** Whether Node would find the package from a place, going up. */
function isFound(packages: Lockfile['packages'], place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const os = OS.exec(name)?.[1];
  const cpu = CPU.exec(name)?.[1];
  const libc = /musl/.test(name) ? 'musl' : /gnu/.test(name) && os === 'linux' ? 'glibc' : undefined;
  return {
    ...(cpu && { cpu: [CPU_OF[cpu] ?? cpu] }),
    ...(libc && { libc: [libc] }),
    ...(os && { os: [os] }),
  };
}
