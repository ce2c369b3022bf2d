import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { parse } from 'yaml';
import { render } from './chart.fixture.ts';
import { CHART } from './render-chart.ts';

const PAGES = ['deploy/README.md', 'docs/runbooks.md'];
const readPage = (file: string) => readFileSync(join(CHART, '../../..', file), 'utf8');

/** The blocks of shell of a page, each without the indentation of a list. */
function blocksOf(file: string): string[] {
  return [...readPage(file).matchAll(/^( *)```sh\n([^]*?)^ *```$/gm)].map(([, indent, text]) =>
    text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}
const restart = blocksOf('deploy/README.md').find((block) => block.includes('FLUSHDB'))!;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  const programs = {
    kubectl:
      'case "$1" in logs) [ "$2" != job/restore-1 ] || printf "%s\\n" "$LOG" ;; get) ;; *) echo "$1" >> "$FOLDER/changed" ;; esac',
    'redis-cli': 'case "$*" in *INFO*) echo "cluster_enabled:$CLUSTER" ;; *) echo "$REDIS_SAYS" ;; esac',
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the last block of a restore changes in the cluster, after a log and with what redis-cli prints. */
function changesAfter(
  log: string,
  redisSays = 'OK',
  shell = ['-c'],
  job = 'restore-1',
  cluster = '0',
): string[] {
  const changed = join(folder, 'changed');
  rmSync(changed, { force: true });
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    FOLDER: folder,
    LOG: log,
    JOB: job,
    REDIS_SAYS: redisSays,
    CLUSTER: cluster,
  };
  spawnSync('bash', [...shell, restart], { env });
  return existsSync(changed) ? readFileSync(changed, 'utf8').trim().split('\n') : [];
}

describe('the commands that an operator pastes', () => {
  it.each(PAGES)('every block of shell in %s is read by a shell without an error of syntax', (file) => {
    for (const block of blocksOf(file)) execFileSync('bash', ['-n'], { input: block });
  });

  it.each(PAGES)(
    'no block of shell in %s has a comment, whose words zsh takes for arguments and whose backticks it runs',
    (file) => {
      const commented = blocksOf(file)
        .flatMap((block) => block.split('\n'))
        .filter((line) => /(?:^|\s)#/.test(line));
      expect(commented).toEqual([]);
    },
  );

  it.each(PAGES)('every value that %s sets with `--set` is one that the chart takes', async (file) => {
    const set = [...readPage(file).matchAll(/--set '?([\w.[\]-]+)=([\w./-]+)/g)];
    for (const [, path, text] of set) {
      const names = path!.replace(/\[\d+\]/, '.[]').split('.');
      const value = names.reduceRight<unknown>(
        (inner, name) => (name === '[]' ? [inner] : { [name]: inner }),
        parse(text!),
      );
      await render(value as object);
    }
  });

  it.each(PAGES)('%s goes back to a revision that it names, since Helm may choose a failed one', (file) => {
    expect(readPage(file).match(/helm rollback platform(?! <revision>).*/g) ?? []).toEqual([]);
  });

  it('no command of the runbooks looks for an error in the last lines of a log, which has a line for every request', () => {
    covers('PLAT-O.1');
    expect(readPage('docs/runbooks.md').match(/kubectl logs -l [^`]*--tail=\d[^`]*/g)).toBeNull();
  });

  it('the services are started after a log that ends with `restored`', () => {
    covers('PLAT-O.9');
    expect(changesAfter('filled authz\nrestored /backup/20261123T021500Z')).toEqual(['scale', 'patch']);
  });

  it.each([
    ['the restore failed half-way', 'filled docstore\nERROR: could not connect', 'OK', ['-c']],
    ['the restore failed half-way, with `set -e`', 'filled docstore\nERROR', 'OK', ['-e', '-c']],
    ['there is no log', '', 'OK', ['-c']],
    ['Redis refuses the password', 'restored /backup/20261123T021500Z', 'NOAUTH', ['-c']],
    ['the Job was not made', 'restored /backup/20261123T021500Z', 'OK', ['-c'], 'restore-2'],
    ['the terminal is another one', 'restored /backup/20261123T021500Z', 'OK', ['-c'], ''],
  ])('no service is started where %s', (_, log, redisSays, shell, job = 'restore-1') => {
    covers('PLAT-O.9');
    expect(changesAfter(log, redisSays, shell, job)).toEqual([]);
  });

  it('no service is started where Redis is a Cluster, of which `FLUSHDB` empties one node', () => {
    covers('PLAT-O.9');
    expect(changesAfter('restored /backup/20261123T021500Z', 'OK', ['-c'], 'restore-1', '1')).toEqual([]);
  });
});
