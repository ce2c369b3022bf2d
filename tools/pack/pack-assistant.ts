import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORTED } from '../build/bundle.mjs';
import { packFolder, readManifest, ROOT, sharedFields } from './packages.ts';

const NAME = 'investigation-mcp';
const BUNDLE = join(ROOT, 'dist/apps/investigation-api');
const README = join(ROOT, 'apps/investigation-api/npm/README.md');
const TITLE = 'Investigation';
const DESCRIPTION = 'Judges what sources claim: verdicts with chances, why, and pages that anyone can read.';
/** Version of the format of `server.json`. Source: reference of the MCP registry. */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** What to do before the MCP server can be packed; null once investigation-api is built. */
export function missingBuild(bundle = BUNDLE): string | null {
  return existsSync(join(bundle, 'mcp.js'))
    ? null
    : 'investigation-api is not built: run `npm run build` first';
}

/** Settings that an assistant's user may want to make; the README of the package has them all. */
const VARIABLES = [
  { name: 'INVESTIGATION_DATA_DIR', description: 'Folder of the investigations.', format: 'filepath' },
  { name: 'INVESTIGATION_MCP_TOOLSETS', description: 'Toolsets to offer, joined by commas, or all.' },
  {
    name: 'INVESTIGATION_MCP_READ_ONLY',
    description: 'Whether tools that change something are hidden.',
    format: 'boolean',
  },
  {
    name: 'DATABASE_URL',
    description: 'postgres://… of a database that a service shares; unset = a folder of this computer.',
    isSecret: true,
  },
  {
    name: 'INVESTIGATION_PUBLIC_URL',
    description: 'Where people reach the service on that database, for the links of shares.',
  },
];

/** What of the bundle the command over stdio does not use: the service, its guide and the desk. */
const isOfService = (file: string) =>
  /\.map$|^(guide|workbench)(\/|$)|^main\.js$/.test(file.slice(BUNDLE.length + 1));

/**
 * Packs the MCP server over stdio: the bundle of investigation-api with the packages that it opens as it
 * runs, so that `npx` starts it anywhere, and `server.json` for a registry beside it. The paths of the
 * tarball and of `server.json`. Errors: an app that is not built.
 */
export function packAssistant({
  scope,
  namespace,
  out,
}: {
  readonly scope: string;
  readonly namespace: string;
  readonly out: string;
}): string[] {
  const folder = join(out, NAME);
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  cpSync(BUNDLE, dist, { recursive: true, filter: (file) => !isOfService(file) });
  const readme = readFileSync(README, 'utf8').replaceAll('@platform/', `${scope}/`);
  writeFileSync(join(folder, 'README.md'), readme);
  const code = readdirSync(dist)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n');
  const isImported = (name: string) => new RegExp(`["']${name}(/[^"']*)?["']`).test(code);
  const { dependencies } = readManifest(ROOT);
  const name = `${scope}/${NAME}`;
  const mcpName = `${namespace}/${NAME}`;
  const { version, ...shared } = sharedFields();
  const manifest = {
    name,
    version,
    mcpName,
    description: DESCRIPTION,
    keywords: ['mcp', 'model-context-protocol', 'fact-checking', 'argumentation'],
    ...shared,
    bin: { [NAME]: 'dist/mcp.js' },
    files: ['dist'],
    dependencies: Object.fromEntries(IMPORTED.filter(isImported).map((one) => [one, dependencies[one]])),
  };
  const entry = {
    $schema: SCHEMA,
    name: mcpName,
    title: TITLE,
    description: DESCRIPTION,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: VARIABLES,
      },
    ],
  };
  const file = join(out, 'server.json');
  writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`);
  return [packFolder(folder, manifest, out), file];
}
