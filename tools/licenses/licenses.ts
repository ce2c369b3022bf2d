import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of the production tree. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression as the package states it; `unknown` when it states none. */
  readonly license: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
type Packages = Readonly<Record<string, LockedPackage>>;

/**
 * Licenses that ask for no more than that they are passed on with the package. MPL-2.0 asks for the source of
 * changed files, and OFL-1.1 for another name of changed fonts; neither is changed here.
 */
const ALLOWED: readonly string[] = [
  'MIT',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'MPL-2.0',
  'OFL-1.1',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
];

/**
 * Every package that production installs, by name: what the lock file of `root` leads to from `dependencies`,
 * those of other platforms included. The license is the installed package's own word; of one that is not
 * installed here, the lock file's.
 *
 * What npm 11 lists is another tree: `npm sbom --omit=dev` leaves out what a tool needs as well, such as
 * express and zod, and `npm ls --omit=dev` adds optional peers that production does not install, such as
 * Prisma's tools.
 */
export function productionPackages(root: string): LicensedPackage[] {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Packages };
  const workspaces = Object.keys(packages).filter((place) => !place.includes('node_modules'));
  const reached = new Set<string>();
  const waiting = [...workspaces];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const entry = packages[place] as LockedPackage;
    const isOptional = (name: string) => entry.peerDependenciesMeta?.[name]?.optional === true;
    const names = [
      ...Object.keys(entry.dependencies ?? {}),
      ...Object.keys(entry.optionalDependencies ?? {}),
      ...Object.keys(entry.peerDependencies ?? {}).filter((name) => !isOptional(name)),
    ];
    for (const name of names) {
      const found = resolvePlace(packages, place, name);
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      if (packages[found]!.link !== true) waiting.push(found);
    }
  }
  const listed = [...reached]
    .filter((place) => packages[place]!.link !== true)
    .map((place): LicensedPackage => {
      const { version = '', license } = packages[place]!;
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license: statedLicense(join(root, place)) ?? license ?? 'unknown' };
    });
  const key = ({ name, version }: LicensedPackage) => `${name} ${version}`;
  return [...new Map(listed.map((one) => [key(one), one])).values()].sort((a, b) =>
    key(a) < key(b) ? -1 : 1,
  );
}

/** Whether every part of an `AND`, and any part of an `OR`, is allowed. */
export function isAllowed(license: string): boolean {
  const bare = license.replace(/^\((.*)\)$/, '$1');
  if (/ or /i.test(bare)) return bare.split(/ or /i).some(isAllowed);
  return bare.split(/ and /i).every((one) => ALLOWED.includes(one.trim()));
}

/** docs/licenses.md. */
export function licensesPage(listed: readonly LicensedPackage[]): string {
  const rows = listed.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |\n`);
  return (
    '# Licenses\n\n' +
    `The ${listed.length} packages that production installs, those for other platforms included. ` +
    'Written by `npm run licenses`; a test compares it with the lock file and allows ' +
    `${ALLOWED.join(', ')}.\n\n| Package | Version | License |\n| --- | --- | --- |\n${rows.join('')}`
  );
}

/** Where Node would find the package from a place, going up. */
function resolvePlace(packages: Packages, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

function statedLicense(folder: string): string | undefined {
  try {
    const { license } = readJson(join(folder, 'package.json')) as { license?: unknown };
    if (typeof license === 'string') return license;
    // Some packages state it in its own words alone.
    return readFileSync(join(folder, 'LICENSE'), 'utf8').startsWith('MIT License') ? 'MIT' : undefined;
  } catch {
    // Not installed on this platform.
    return undefined;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
