import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = join(import.meta.dirname, '../..');
const read = (patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, ignore: ['**/node_modules/**', '**/dist/**'] }).map((file) => ({
    file,
    text: readFileSync(join(ROOT, file), 'utf8'),
  }));

/** The classes that markup names in full: in quotes, or as either outcome of a condition. */
const classesIn = (markup: string) =>
  [...markup.matchAll(/\bclass=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain, expression]) =>
    (plain ?? [...expression!.matchAll(/[?:]\s*'([^']*)'/g)].map(([, outcome]) => outcome).join(' '))
      .split(' ')
      .filter(Boolean),
  );

describe('classes of markup', () => {
  it('every class is looked at by a style, the styles of the report or a suite', () => {
    const styles = read(['{apps,libs}/**/*.css'])
      .map(({ text }) => text)
      .join('\n');
    const others = read([
      'libs/viewer/src/report/report-styles.ts',
      '{apps,libs,tools}/**/*.{spec,fixture}.ts',
    ])
      .map(({ text }) => text)
      .join('\n');
    const named = new Set([
      ...[...(styles + others).matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!),
      ...[...others.matchAll(/^ +'?([\w-]+)'?: \{/gm)].map(([, name]) => name!),
    ]);
    const markup = read(['{apps,libs}/**/*.tsx']);
    const found = markup.flatMap(({ file, text }) => classesIn(text).map((name) => ({ file, name })));
    expect(found.length).toBeGreaterThan(500);
    expect(found.filter(({ name }) => !named.has(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual(
      [],
    );
  });
});
