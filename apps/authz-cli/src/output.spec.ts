import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { folded, HIDDEN, jsonText, table, visible } from './output.ts';

fc.configureGlobal({ seed: SEED });

describe('what others wrote', () => {
  it('text that others wrote is printed without the characters that a terminal would obey', () => {
    const escape = '\u001b';
    expect(visible(`a${escape}[31m\nb\r\u009b\u202e\u200bc\u007f`)).toBe(
      'a\\u{1b}[31m\\u{a}b\\u{d}\\u{9b}\\u{202e}\\u{200b}c\\u{7f}',
    );
    expect(visible('Zürich 東京 \\n')).toBe('Zürich 東京 \\n');
  });

  it('U+200D is printed as it is where it joins emoji or follows a virama, and else shown', () => {
    covers('AUTHZ-CLI.18');
    for (const text of ['👩\u200d🚀', '👨🏽\u200d👩\u200d👧', '🏳\ufe0f\u200d🌈', 'ශ්\u200dරී', 'क्\u200d'])
      expect(visible(text)).toBe(text);
    expect(visible('ad\u200dmin \u200d👩 👩\u200d')).toBe('ad\\u{200d}min \\u{200d}👩 👩\\u{200d}');
    expect(visible('👩\u200d\u202e🚀')).toBe('👩\\u{200d}\\u{202e}🚀');
  });

  it('text that others wrote takes one line of a table, whatever it holds', () => {
    const forged = 'bob\n\u001b[2Jforged';
    const rows = [{ subject: forged, list: ['a\tb'] }, { subject: 'alice' }];
    expect(table(rows, ['subject', 'list']).split('\n')).toEqual([
      'SUBJECT                  LIST',
      'bob\\u{a}\\u{1b}[2Jforged  ["a\\tb"]',
      'alice',
    ]);
  });

  it('JSON of any text reads back the same and holds no character that a terminal would obey', () => {
    covers('AUTHZ-CLI.10');
    const marks = fc.constantFrom('\u001b', '\u009b', '\u202e', '\u200d', '\u{e0041}', '\n', '"', '\\');
    const texts = fc.array(fc.oneof(marks, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const json = jsonText({ name: text });
        expect(JSON.parse(json)).toEqual({ name: text });
        expect(json.search(HIDDEN)).toBe(-1);
      }),
    );
  });
});

describe('what is wider than the terminal', () => {
  const rows = [
    { time: 'noon', subject: 'ann', object: 'svc://domain/docs/a-long-way-down', id: '1234567890' },
    { time: 'dusk', subject: 'bob', object: '', id: '0987654321' },
  ];
  const columns = ['time', 'subject', 'object', 'id'];

  it('a table that is wider than the terminal shows each row below the other, with the names of its cells', () => {
    covers('AUTHZ-CLI.16');
    expect(table(rows, columns, 40).split('\n')).toEqual([
      'noon  ann',
      '    object  svc://domain/docs/a-long-way-down',
      '    id      1234567890',
      'dusk  bob  0987654321',
    ]);
    const wide = table(rows, columns);
    expect(table(rows, columns, Math.max(...wide.split('\n').map(({ length }) => length)))).toBe(wide);
  });

  it('a line that is wider than the terminal continues below it, and loses no character but spaces', () => {
    covers('AUTHZ-CLI.16');
    expect(folded('  ann reads docs: allowed by `readers`', 20).split('\n')).toEqual([
      '  ann reads docs:',
      '      allowed by',
      '      `readers`',
    ]);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\S{1,30}$/), { minLength: 1 }), fc.nat(60), (words, width) => {
        const text = folded(`    ${words.join(' ')}`, width);
        expect(text.trim().split(/\s+/)).toEqual(words.join(' ').trim().split(/\s+/));
        for (const one of text.split('\n'))
          expect(one.length <= width || !one.trim().includes(' ')).toBe(true);
      }),
    );
  });
});
