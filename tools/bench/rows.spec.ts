import { describe, expect, it } from '@jest/globals';
import { formatFigure, replaceBetween, toMarkdown } from './rows.ts';

const row = { name: 'a|b', value: 2.34567, unit: '×', target: '≤ 4', pass: true, detail: 'n = 5' };

describe('toMarkdown', () => {
  it('toMarkdown shows figure, target and outcome of each row', () => {
    expect(toMarkdown([row]).split('\n')[2]).toBe('| a\\|b | 2.35 × | ≤ 4 | reached | n = 5 |');
    expect(toMarkdown([{ ...row, pass: false }])).toContain('| **missed** |');
  });

  it('claims no outcome for a figure without a target', () => {
    expect(toMarkdown([{ ...row, target: '' }])).not.toMatch(/reached|missed/);
  });
});

describe('formatFigure', () => {
  it('formatFigure keeps three significant digits', () => {
    expect([0.012345, 2.34567, 99.96, 1234567].map(formatFigure)).toEqual([
      '0.0123',
      '2.35',
      '100',
      '1,234,567',
    ]);
  });
});

describe('replaceBetween', () => {
  it('replaceBetween replaces one block and leaves the rest of the page', () => {
    const page = '# P\n\n<!-- begin x -->\n\nold\n\n<!-- end x -->\n\ntail\n';
    expect(replaceBetween(page, 'x', 'fresh')).toBe(
      '# P\n\n<!-- begin x -->\n\nfresh\n\n<!-- end x -->\n\ntail\n',
    );
  });

  it('replaceBetween appends a block that the page does not have', () => {
    expect(replaceBetween('# P\n', 'x', 'fresh')).toBe(
      '# P\n\n<!-- begin x -->\n\nfresh\n\n<!-- end x -->\n',
    );
  });
});
