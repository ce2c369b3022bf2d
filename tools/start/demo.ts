import { readFileSync } from 'node:fs';

/** What the compact result has that is shown here. */
interface Summary {
  readonly research_question: string;
  readonly synthesis: string;
  readonly top_findings: readonly {
    readonly subject_name: string;
    readonly predicate: string;
    readonly leading_value: string | null;
    readonly truth_status: string;
    readonly expected_probability: number;
    readonly source_count: number;
    readonly independent_source_count: number;
  }[];
  readonly top_evidence_gaps: readonly { readonly suggestion: string }[];
}

/** The example that is marked as the demo, as a path from the root of the repository. */
export function demoFile(): string {
  const index = JSON.parse(readFileSync('examples/index.json', 'utf8')) as { file: string; demo: boolean }[];
  const demo = index.find((entry) => entry.demo);
  if (!demo) throw new Error('examples/index.json marks no demo');
  return `examples/${demo.file}`;
}

/** Has the service judge the demo and puts the verdict into words. */
export async function judgeDemo(url: string, token: string): Promise<string> {
  const investigation = JSON.parse(readFileSync(demoFile(), 'utf8')) as object;
  const response = await fetch(`${url}/api/v1/investigations/analyze`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...investigation, summary_mode: true }),
  });
  if (!response.ok) throw new Error(`the demo got ${response.status}: ${await response.text()}`);
  const { research_question, synthesis, top_findings, top_evidence_gaps } =
    (await response.json()) as Summary;
  const findings = top_findings.map(
    (finding) =>
      `  ${Math.round(100 * finding.expected_probability)} %`.padEnd(9) +
      `${finding.truth_status.padEnd(8)}${finding.subject_name}: ${finding.predicate} = ${finding.leading_value ?? '?'}` +
      ` (${finding.independent_source_count} independent of ${finding.source_count} sources)`,
  );
  const gaps = top_evidence_gaps.slice(0, 1).map(({ suggestion }) => `Most useful next: ${suggestion}`);
  return [research_question, '', synthesis, '', ...findings, '', ...gaps].join('\n');
}
