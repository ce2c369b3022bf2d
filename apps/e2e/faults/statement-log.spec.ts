import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { groupsByStatement } from './statement-log.ts';

/** Tables 102008 and 102016 keep the same tenants, 102009 others. */
const PARTS = new Map([
  ['102008', '1 -2147483648'],
  ['102009', '1 0'],
  ['102016', '1 -2147483648'],
]);
const metBy = (lines: readonly string[]) =>
  groupsByStatement(lines.join('\n'), new Map([['app', PARTS]])).map(({ text, groups }) => [
    text,
    groups.size,
  ]);

describe('the log of a coordinator', () => {
  it('a statement whose parts hold the same tenants counts as one, and one over two parts as two', () => {
    covers('PLAT-S.3');
    expect(
      metBy([
        '<7 app> LOG:  execute find: SELECT 1',
        '\tFROM documents',
        '<7 app> NOTICE:  issuing SELECT FROM public.documents_102008 d JOIN public.versions_102016 v',
        '<7 app> DETAIL:  on server postgres@127.0.0.1:1 connectionId: 1',
        '<7 app> LOG:  statement: SELECT count(*) FROM documents',
        '<7 app> NOTICE:  issuing SELECT count(*) FROM public.documents_102008 documents',
        '<7 app> NOTICE:  issuing SELECT count(*) FROM public.documents_102009 documents',
      ]),
    ).toEqual([
      ['SELECT 1\n\tFROM documents', 1],
      ['SELECT count(*) FROM documents', 2],
    ]);
  });

  it('what one connection asks of a node is no part of what another asks at the same time', () => {
    covers('PLAT-S.3');
    expect(
      metBy([
        '<7 app> LOG:  statement: SELECT one',
        '<8 app> LOG:  statement: SELECT other',
        '<7 app> NOTICE:  issuing SELECT FROM public.documents_102008 d',
        '<8 app> NOTICE:  issuing COPY public.documents_102009 (id) FROM STDIN',
        '<9 elsewhere> LOG:  statement: SELECT third',
      ]),
    ).toEqual([
      ['SELECT one', 1],
      ['SELECT other', 1],
    ]);
  });
});
