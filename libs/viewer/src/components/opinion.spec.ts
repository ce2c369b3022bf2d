import { describe, expect, it } from '@jest/globals';
import type { TruthStatus } from '@platform/opinion-fusion';
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SEED } from '@platform/testing/seed';
import { OpinionBar } from './opinion-bar.tsx';
import { OpinionTriangle, trianglePoint } from './opinion-triangle.tsx';
import { TruthGlyph } from './truth-glyph.tsx';

fc.configureGlobal({ seed: SEED });

describe('the opinion triangle', () => {
  it.each([
    ['support', { support: 1, uncertainty: 0 }, { x: 1, y: 0 }],
    ['opposition', { support: 0, uncertainty: 0 }, { x: 0, y: 0 }],
    ['uncertainty', { support: 0, uncertainty: 1 }, { x: 0.5, y: Math.sqrt(3) / 2 }],
  ])('the opinion triangle has a corner of %s (Jøsang 2016, §3.5)', (_name, opinion, point) => {
    expect(trianglePoint(opinion)).toEqual(point);
  });

  it('the opinion triangle projects every opinion onto its expected probability, parallel to the line from the top to the base rate', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (x, y, base_rate) => {
          const support = x * (1 - y);
          const uncertainty = y;
          const point = trianglePoint({ support, uncertainty });
          const expected = support + base_rate * uncertainty;
          // Direction (top → base rate) scaled by the share of the height that the point has.
          expect(point.x + (base_rate - 0.5) * uncertainty).toBeCloseTo(expected, 12);
          expect(point.y).toBeLessThanOrEqual(Math.sqrt(3) / 2 + 1e-12);
        },
      ),
    );
  });

  it('the opinion triangle states its four numbers', () => {
    const opinion = { support: 0.6, opposition: 0.1, uncertainty: 0.3, base_rate: 0.5 };
    const html = renderToString(h(OpinionTriangle, { opinion, size: 'small' }));
    expect(html).toContain('support 0.60, uncertainty 0.30, opposition 0.10, base rate 0.50');
    expect(html).not.toContain('style=');
  });
});

describe('the opinion bar', () => {
  const opinion = { support: 0.5, opposition: 0.2, uncertainty: 0.3, base_rate: 0.5 };

  it('the opinion bar keeps support left, opposition right, and has a line at the chance beside it', () => {
    const html = renderToString(h(OpinionBar, { opinion, chance: 0.9 }));
    expect(html).toContain('class="bar-support" width="50"');
    expect(html).toContain('class="bar-opposition" x="80" width="20"');
    expect(html).toContain('x1="90" x2="90"');
  });

  it('the opinion bar has no line where no chance stands beside it', () => {
    expect(renderToString(h(OpinionBar, { opinion, chance: null }))).not.toContain('<line');
  });
});

describe('the truth status glyph', () => {
  it('the truth status glyph has a shape of its own for each of the four values', () => {
    const statuses: TruthStatus[] = ['True', 'False', 'Both', 'Neither'];
    const shapes = statuses.map((status) =>
      renderToString(h(TruthGlyph, { status }))
        .replace(/ class="[^"]*"/g, '')
        .replace(/^<svg[^>]*>/, ''),
    );
    expect(new Set(shapes).size).toBe(4);
  });
});
