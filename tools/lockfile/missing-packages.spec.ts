import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { minVersion, satisfies } from 'semver';
import { missingPackages } from './missing-packages.ts';
import type { Lockfile } from './missing-packages.ts';

describe('package-lock.json', () => {
  it('package-lock.json holds the optional packages of every platform, else `npm ci` refuses it; `npm run lockfile` adds them', () => {
    const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile;
    expect(Object.keys(missingPackages(lockfile))).toEqual([]);
  });

  it('package-lock.json holds only packages that support the oldest Node of package.json, else npm ci warns', () => {
    covers('PLAT-O.22');
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    const oldest = minVersion(engines.node)!;
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile;
    const refusing = Object.entries(packages).filter(
      ([, one]) => one.engines?.node !== undefined && !satisfies(oldest, one.engines.node),
    );
    expect(refusing.map(([place]) => place)).toEqual([]);
  });

  it('package-lock.json names no download address', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "\w+:/);
  });
});

describe('missingPackages', () => {
  it('missingPackages names platforms and finds the nearest copy', () => {
    const optionalDependencies = {
      '@x/core-linux-arm-gnueabihf': '1.0.0',
      '@x/core-darwin-arm64': '1.0.0',
      near: '2.0.0',
      any: '^1',
    };
    const packages = {
      'node_modules/a': { version: '1.0.0', dev: true, optionalDependencies },
      'node_modules/a/node_modules/near': { version: '2.0.0' },
    };
    expect(missingPackages({ packages })).toEqual({
      'node_modules/@x/core-linux-arm-gnueabihf': {
        version: '1.0.0',
        dev: true,
        optional: true,
        cpu: ['arm'],
        libc: ['glibc'],
        os: ['linux'],
      },
      'node_modules/@x/core-darwin-arm64': {
        version: '1.0.0',
        dev: true,
        optional: true,
        cpu: ['arm64'],
        os: ['darwin'],
      },
    });
  });
});
