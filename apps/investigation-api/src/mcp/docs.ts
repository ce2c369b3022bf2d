import type { JsonSchema } from './tool-schema.ts';
import type { Tool } from './tools.ts';

/** A small investigation that shows the shape: a claim, a contradiction, and a claim about a claim. */
export const EXAMPLE_INVESTIGATION = {
  research_question: 'Did the harbour bridge close on 3 May 2024?',
  domain: 'News',
  actors: [
    { id: 'authority', name: 'Harbour authority', source_type: 'Regulator' },
    { id: 'paper', name: 'The Morning Paper', source_type: 'Journalist', base_reliability: 0.7 },
    { id: 'forum', name: 'Drivers forum', source_type: 'SocialMedia' },
  ],
  subjects: [{ id: 'bridge', name: 'Harbour bridge', subject_type: 'place' }],
  claims: [
    {
      id: 'c1',
      actor_id: 'authority',
      subject_id: 'bridge',
      predicate: 'closed',
      value: 'true',
      content: 'Notice 12/2024: closed all day for repairs.',
    },
    {
      id: 'c2',
      actor_id: 'forum',
      subject_id: 'bridge',
      predicate: 'closed',
      value: 'false',
      content: 'I drove across at noon.',
    },
    {
      id: 'c3',
      actor_id: 'paper',
      target_claim_id: 'c2',
      predicate: 'is_from_that_day',
      value: 'false',
      content: 'The photo in the post shows snow.',
      valence: 'Refutes',
    },
  ],
  evidence: [{ id: 'e1', claim_id: 'c1', content: 'Photo of the barrier.', valence: 'Supports', weight: 1 }],
};

export const READING_A_RESULT = `- \`subject_results\`: one verdict per subject and predicate. \`truth_status\` is True (support 0.2 or more, opposition below), False (the reverse), Both (contradicted: 0.2 or more on each side) or Neither (too little known). \`confidence\` holds support, opposition and uncertainty, which sum to 1; \`expected_probability\` is support + half the uncertainty: the probability that the predicate is \`leading_value\`. \`independent_source_count\` counts sources that copy one another once.
- \`conflict_analysis\`: which sets of claims hold together (\`interpretations\`, best first by \`coherence_score\`); \`accepted_claims\` are in all of them; \`dispute_level\` 0 is consensus; \`is_exact\` false means that an approximation was used.
- \`sensitivity_analysis.evidence_gaps\`: what one more piece of evidence could change, largest first, with a \`suggestion\` what to look for and \`discriminating_claims\` that decide between interpretations.
- \`temporal_analysis\`: stale claims, fresh confirmations, which claim replaced which. \`accumulative_analysis\`: what follows under the condition of each side of a distinction.
- \`ranked_claims\` and \`claim_analyses\`: every claim by itself. \`source_dependence\`: sources found or declared to speak with one voice.
- \`warnings\`: what was left out or adjusted, in sentences. Read them before trusting the verdict.
- With \`summary_mode\` true only: \`top_findings\`, \`top_contested_claims\`, \`top_evidence_gaps\`, \`synthesis\`, \`warnings\`.`;

/** Every tool with one line each. */
export function listTools(tools: readonly Tool[]): string {
  const lines = tools.map((tool) => `- \`${tool.name}\`: ${firstSentence(tool.description)}`);
  return [...lines, '', 'Call get_docs with {"tool": "<name>"} for the fields of one tool.'].join('\n');
}

/** The full documentation of a tool in Markdown. */
export function documentTool(tool: Tool): string {
  return [
    `# ${tool.name}`,
    tool.description,
    '## Input',
    ...fieldSections('', tool.input),
    '## Example',
    `\`\`\`json\n${JSON.stringify(tool.example, null, 2)}\n\`\`\``,
    '## Reading the answer',
    tool.reading,
    '',
  ].join('\n\n');
}

interface FieldSchema {
  readonly type: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly items?: FieldSchema & JsonSchema;
}

/** A table of an object's fields, followed by the tables of the objects listed in it. */
function fieldSections(path: string, schema: JsonSchema): string[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, FieldSchema>);
  const required = (schema['required'] ?? []) as string[];
  const rows = fields.map(
    ([name, field]) =>
      `| \`${name}\` | ${typeName(field)} | ${required.includes(name) ? 'yes' : 'no'} | ${describe(field)} |`,
  );
  const table = ['| Field | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const nested = fields.flatMap(([name, field]) =>
    field.items?.type === 'object' ? fieldSections(`${path}${name}[].`, field.items) : [],
  );
  return [...(path === '' ? [] : [`### ${path.slice(0, -1)}`]), table, ...nested];
}

function typeName({ type, format, items }: FieldSchema): string {
  if (type === 'array') return `array of ${items?.type ?? 'values'}`;
  return format === 'date-time' ? 'RFC 3339 timestamp' : type;
}

function describe(field: FieldSchema): string {
  return [
    field.description,
    field.enum && `One of: ${field.enum.join(', ')}.`,
    field.default !== undefined && `Default: ${String(field.default)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
