import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { rankedClaimsCsv } from './ranked-claims-csv.ts';

describe('ranked claims as CSV', () => {
  it('the CSV of ranked claims has a heading and one row for each ranked claim, in rank order', () => {
    const snapshot = snapshotOf(exampleInput('chernobyl-deaths'));
    const rows = rankedClaimsCsv(snapshot).split('\r\n');
    expect(rows[0]).toMatch(/^rank,claim_id,subject_id,/);
    expect(rows.slice(1, -1).map((row) => Number(row.split(',')[0]))).toEqual(
      snapshot.input.claims.map((_claim, index) => index + 1),
    );
  });

  it('the CSV of ranked claims keeps spreadsheets from running what a source wrote, and quotes as RFC 4180 says', () => {
    covers('INV-V.5');
    const input = exampleInput('chernobyl-deaths');
    input.claims[0]!.content = '=HYPERLINK("http://x","y")';
    expect(rankedClaimsCsv(snapshotOf(input))).toContain(
      `,"'=HYPERLINK(""http://x"",""y"")",,,,,,,,,,,${input.claims[0]!.epistemic_status ?? ''},`,
    );
  });

  it('the CSV of ranked claims has the status of each, so that no withdrawn claim counts where it is imported', () => {
    covers('INV-EXPORT.23');
    const input = exampleInput('chernobyl-deaths');
    input.claims[0]!.epistemic_status = 'retracted';
    const rows = rankedClaimsCsv(snapshotOf(input)).split('\r\n');
    expect(rows[0]).toContain(
      ',quote_state,source_document,source_version,source_sha256,source_start,source_end,epistemic_status,',
    );
    expect(rows.filter((row) => row.includes(',,retracted,'))).toEqual([
      expect.stringContaining(`,${input.claims[0]!.id},`),
    ]);
  });

  it.each(['=1', '+1', '-1', '@a', '\t1', '\r1', '\n1', '\n=1', ' =1', '\u00a0@a', '\uff1d1', '\uff0b1'])(
    'the CSV of ranked claims treats %j as a formula',
    (content) => {
      covers('INV-V.5');
      const input = exampleInput('chernobyl-deaths');
      input.claims[0]!.content = content;
      expect(rankedClaimsCsv(snapshotOf(input))).toContain(`'${content}`);
    },
  );
});
