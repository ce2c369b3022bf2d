import { describe, expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { covers } from '@platform/testing/covers';
import { percent } from '../../format/numbers.ts';
import { createModel } from '../../model.ts';
import { pageSnapshot } from '../../page/page-snapshot.ts';
import { exampleInput, largeInput, snapshotOf } from '../../snapshot.fixture.ts';
import { Finding } from './finding.tsx';

describe('the bar of a finding', () => {
  it.each([
    ['first-flight', exampleInput('first-flight')],
    ['made up', largeInput(300)],
  ])('every bar of the investigation %s has its line at the chance of its sentence', (_name, input) => {
    covers('INV-V.55');
    const model = createModel(pageSnapshot(snapshotOf(input)));
    const drawn = model.verdicts.map((verdict) => {
      const html = renderToString(h(Finding, { verdict, model }));
      const said = /class="finding-word[^>]*>.*?\(([^)]*)\)<\/span>/s.exec(html)![1]!;
      const line = Number(/class="bar-chance" x1="([^"]*)"/.exec(html)![1]) / 100;
      return { said: said.replaceAll('&lt;', '<').replaceAll('&gt;', '>'), line: percent(line) };
    });
    expect(drawn.length).toBeGreaterThan(5);
    expect(drawn.filter(({ said, line }) => !said.includes(line))).toEqual([]);
  });
});
