/**
 * Writes a cluster as initdb leaves it. PGlite opens a copy of it in a fifth of the time that running initdb
 * takes.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const folder = new URL('src/generated/', import.meta.url);
const pglite = await PGlite.create('memory://');
const cluster = await pglite.dumpDataDir('gzip');
await pglite.close();
mkdirSync(folder, { recursive: true });
// A process that opens it meanwhile finds all of it or nothing.
const unfinished = new URL('empty-cluster.tar.gz.part', folder);
writeFileSync(unfinished, new Uint8Array(await cluster.arrayBuffer()));
renameSync(unfinished, new URL('empty-cluster.tar.gz', folder));
