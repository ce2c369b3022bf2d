/**
 * `npm run lockfile`: writes optional packages of other platforms into package-lock.json where npm left them
 * out. npm records only what it could look up; a registry without some platform's build makes it forget that
 * platform, and `npm ci` then refuses the lock file everywhere. What is added is never downloaded where
 * platform and package differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readOptions } from '../command-line.ts';
import { missingPackages } from './missing-packages.ts';
import type { Lockfile } from './missing-packages.ts';

readOptions(import.meta.filename, {});
const FILE = 'package-lock.json';
const lockfile = JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile;
const missing = missingPackages(lockfile);
const entries = Object.entries({ ...lockfile.packages, ...missing }).sort(([a], [b]) =>
  a < b ? -1 : a > b ? 1 : 0,
);
writeFileSync(FILE, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(entries) }, null, 2)}\n`);
console.log(`${Object.keys(missing).length} packages added`);
