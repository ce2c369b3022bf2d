/**
 * Writes proto/gen: TypeScript for every .proto (ts-proto), the descriptor set that server reflection answers
 * from, and as JSON the methods of authz.v1 with their comments, for the guide, and the enums of its messages.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeEnums, describeMethods } from './describe-methods.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const gen = join(here, 'gen');
const require = createRequire(import.meta.url);
const protoc = join(dirname(require.resolve('protoc/package.json')), 'protoc.cjs');
const plugin = join(dirname(require.resolve('ts-proto/package.json')), 'protoc-gen-ts_proto');

/** docs/decisions/0008-proto-code.md says why each is chosen. */
const options = [
  'env=node',
  'outputServices=grpc-js',
  'oneof=unions-value',
  'forceLong=bigint',
  'useMapType=true',
  'enumsAsLiterals=true',
  'outputJsonMethods=false',
  'importSuffix=.ts',
  'useDate=true',
  'esModuleInterop=true',
  'removeEnumPrefix=true',
  'unrecognizedEnum=false',
].join(',');

const sources = ['authz', 'google', 'grpc']
  .flatMap((root) => readdirSync(join(here, root), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.proto'))
  .map((entry) => relative(here, join(entry.parentPath, entry.name)))
  .sort();

const next = mkdtempSync(join(here, '.gen-'));
process.once('exit', () => rmSync(next, { recursive: true }));
execFileSync(
  process.execPath,
  [
    protoc,
    `--plugin=protoc-gen-ts_proto=${plugin}`,
    `--ts_proto_out=${next}`,
    `--ts_proto_opt=${options}`,
    `--descriptor_set_out=${join(next, 'authz.binpb')}`,
    '--include_imports',
    `--proto_path=${here}`,
    ...sources,
  ],
  { stdio: 'inherit' },
);

// Reflection needs no comments.
const commented = join(next, 'commented.binpb');
execFileSync(
  process.execPath,
  [
    protoc,
    `--descriptor_set_out=${commented}`,
    '--include_imports',
    '--include_source_info',
    `--proto_path=${here}`,
    ...sources,
  ],
  { stdio: 'inherit' },
);
writeFileSync(join(next, 'methods.json'), JSON.stringify(describeMethods(readFileSync(commented))));
writeFileSync(join(next, 'enums.json'), JSON.stringify(describeEnums(readFileSync(commented))));
rmSync(commented);

/** Paths of the files in a folder, relative to it. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

// Suites and builds that run meanwhile read these files: each is replaced in one step, and only where it
// differs.
mkdirSync(gen, { recursive: true });
const files = filesIn(next);
for (const file of files) {
  const [from, to] = [join(next, file), join(gen, file)];
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
for (const file of filesIn(gen)) if (!files.includes(file)) rmSync(join(gen, file));
