import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
/** The scope of the workspace, in whose place a publisher puts their own. */
export const SCOPE = '@platform';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly exports?: string | Readonly<Record<string, string>>;
  readonly sideEffects?: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** What every package has of the workspace: version, license and the Node it runs on. */
export function sharedFields(): Pick<Manifest, 'version' | 'license' | 'engines'> & { type: 'module' } {
  const { version, license, engines } = readManifest(ROOT);
  return { version, license, type: 'module', engines };
}

/** The first sentence of a README below its title, without Markdown: at most 300 characters. */
export function descriptionOf(readme: string): string {
  const [, paragraph = ''] = readme.split(/\n\n/);
  const plain = paragraph.replaceAll(/[`_*]|\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return (/^.+?\.(?=\s|$)/.exec(plain)?.[0] ?? plain).slice(0, 300);
}

/** Writes `package.json` and LICENSE into `folder` and packs it; the path of the tarball in `out`. */
export function packFolder(folder: string, manifest: object, out: string): string {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  const packed = JSON.parse(told) as readonly { filename: string }[] | Record<string, { filename: string }>;
  return join(out, Object.values(packed)[0]!.filename);
}
