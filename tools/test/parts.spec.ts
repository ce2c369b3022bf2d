import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = join(import.meta.dirname, '../..');
const PART = /^e2e-(\d+)-of-(\d+)$/;

interface Target {
  readonly executor?: string;
  readonly dependsOn?: readonly unknown[];
  readonly outputs?: readonly string[];
}

const all = globSync('{apps,libs,tools}/**/project.json', { cwd: ROOT, ignore: '**/node_modules/**' }).map(
  (file) => ({
    folder: dirname(file),
    ...(JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<'targets', Record<string, Target>>),
  }),
);
const projects = all
  .map(({ targets }) => ({ targets, parts: Object.keys(targets).filter((name) => PART.test(name)) }))
  .filter(({ parts }) => parts.length > 0);

describe('suites of projects', () => {
  it.each([
    ['test', '!(*.e2e|*.conformance).spec.ts'],
    ['e2e', '*.e2e.spec.ts'],
  ])('every project with suites that the target %s runs has the target', (target, suites) => {
    const without = all.filter(
      ({ folder, targets }) =>
        !(target in targets) &&
        globSync([`${folder}/**/${suites}`], { cwd: ROOT, ignore: '**/node_modules/**' }).length > 0,
    );
    expect(without.map(({ folder }) => folder)).toEqual([]);
  });
});

describe('end-to-end suites in parts', () => {
  it('the parts of a project are all there, keep a report each, and run with its target e2e', () => {
    expect(projects.length).toBeGreaterThan(0);
    for (const { targets, parts } of projects) {
      const count = Number(PART.exec(parts[0]!)![2]);
      expect([...parts].sort()).toEqual(
        Array.from({ length: count }, (_, index) => `e2e-${index + 1}-of-${count}`),
      );
      expect(targets['e2e']).toEqual({ executor: 'nx:noop', cache: false, dependsOn: parts });
      for (const part of parts)
        expect(targets[part]!.outputs).toEqual([`{workspaceRoot}/dist/reports/{projectName}.${part}.json`]);
    }
  });
});
