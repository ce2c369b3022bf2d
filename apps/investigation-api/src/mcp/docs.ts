import { SOURCES, type SourceType } from '@platform/opinion-fusion';
import type { JsonSchema } from './tool-schema.ts';
import { SERVICE_TOOLSETS, type Tool } from './tool.ts';

export const READING_A_RESULT = `- \`subject_results\`: one verdict per subject and predicate. \`calibrated_probability\` is the chance that \`leading_value\` is right: quote it for likelihood. \`truth_status\` is True (support 0.2 or more), False (opposition 0.2 or more), Both (the two contradict each other, neither by far) or Neither (too little known). \`confidence\` holds support, opposition and uncertainty (sum 1); \`expected_probability\` is support + half the uncertainty, a share of weight. \`rival_values\` lists the values asserted, the leading one first; with \`tied\` none leads, with \`denied\` sources only deny them, and those \`apart\` are of another scope or time and do not compete. With \`numeric: "estimate"\`, \`numeric_estimate\` has the weighted median of the numbers, with its 90 % interval (\`low\`, \`high\`; with \`few_sources\` only the least and the largest number claimed). \`independent_source_count\` counts sources that are not, or may not be, independent once.
- \`age_decides\`: what would lead, and the status, if nothing had aged, where that is another; say so with the verdict.
- \`denials\`: values that are denied and that nobody states; say so with the verdict.
- \`superseded\`: sources whose statements were replaced; do not tell them as disagreement.
- \`no_value_counts\`: no claim counts, and no value has a chance to quote.
- \`truth_status\` tells where the weight of evidence is: where that weight is little, it can be True with a chance below one half; texts add then that it is contested or not enough to say, as the page does.
- \`conflict_analysis\`: which sets of claims hold together (\`interpretations\`, best first by \`coherence_score\`); \`accepted_claims\` are in all of them; \`dispute_level\` 0 is consensus; \`is_exact\` false means that an approximation was used.
- \`sensitivity_analysis.evidence_gaps\`: what one more piece of evidence could change, largest first, with a \`suggestion\` what to look for and \`discriminating_claims\` that decide between interpretations.
- \`temporal_analysis\`: stale claims, fresh confirmations, which claim replaced which. \`accumulative_analysis\`: what follows under the condition of each side of a distinction, with its chance.
- \`ranked_claims\` and \`claim_analyses\`: every claim by itself. \`source_dependence\`: sources that say the same unusual things and so may not be independent, with how sure that is; a suspicion, never a fact.
- \`warnings\`: what was left out or adjusted, in sentences. Read them before trusting the verdict.
- With \`summary_mode\` true only: \`top_findings\`, \`top_contested_claims\`, \`top_evidence_gaps\`, \`synthesis\`, \`warnings\`.`;

export const READING_AN_EXPLANATION = `- \`r\` and \`s\` are the evidence for and against "the predicate is \`leading_value\`", in items; support is r / (r + s + prior_weight). The \`counted\` of the contributions to each side add up to them.
- \`contributions\`: each claim, claim about a claim, item of evidence and inference that speaks, strongest first, with its \`factors\`, whose product is what it offers, and its \`outcome\`: counted; dependent (another of the same \`dependence_class\` counts in its place: \`counted_claim_id\`; with \`suspected\` the two sources only say the same unusual things and may be independent); capped (inferences add one item at most); discounted (one of a crowd of unidentified sources); below_floor, retracted, corrected (superseded by its own source), withdrawn_original (it is like a withdrawn claim of another source, \`original\`) or superseded (nothing leads) (not heard); unheard_target (it speaks about a claim not heard); distinguished (a distinction ends the conflict); other_answer (neither yes nor no, where a no leads); raises_target or lowers_target (it supports or disputes a claim that is itself against the verdict or about another, and counts in the weight of that alone).
- The factor \`estimated_reliability\` is a weight learned for this value: 0 for a source that guesses, towards 1 for one always right. The list of that name in the result states something else: the share of its claims that a source is right in (\`mean\`).
- \`denials\`: values that are denied and that nobody states, with their claims.
- \`numeric_estimate\`, if asked for: the numbers that the weighted median comes from, with their shares of the weight.
- \`smallest_change\`: the fewest claims whose removal changes the status or what leads; to try it, take \`removed_claim_ids\` out. With \`is_exact\` false fewer may do. null: no removal does.
- \`without_source\`: the verdict without each source; \`flips\` marks those that its status or what leads hangs on. Both are of the answer explained, in its \`scope\` and time, and give the \`leading_value\` that the status would then be about; it may be another one than now. With reliability estimated, both hold what was learned: judging again without the claims learns anew, so that the chance, and now and then the status, is another.
- With \`limit\` or \`offset\`, of \`contributions\`, of the sources that change the verdict and of \`unrelated_claim_ids\` those behind the first \`offset\`, whole with detail full; \`next_offset\` is where the next part begins, null behind the last.`;

/** Who belongs to a type of source, in the words of someone who has to choose one. */
const SOURCE_TYPES: Readonly<Record<SourceType, string>> = {
  Regulator: 'courts, ministries, police, inspectorates, official inquiries',
  Expert: 'scientists, engineers and institutes on their own field',
  Analyst: 'consultants, rating agencies, think tanks',
  Journalist: 'newspapers, agencies, broadcasters, reporters',
  Insider: 'employees, eyewitnesses, people concerned',
  Institutional: 'companies, offices and associations that speak for themselves',
  Anonymous: 'unnamed people, blogs without an author',
  SocialMedia: 'posts and accounts of social networks',
  Troll: 'accounts known to deceive',
};

const CHOOSING_A_SOURCE_TYPE = [
  'The type says how far a source is trusted where `base_reliability` does not, as a probability (85 % is 0.85), and how slowly its claims age.',
  ...Object.entries(SOURCE_TYPES).map(
    ([type, who]) => `- ${type}, ${SOURCES[type as SourceType].base}: ${who}`,
  ),
].join('\n');

/** Every tool with one line each; of those that the connection has not loaded, how to load them. */
export function listTools(all: readonly Tool[], loaded: readonly Tool[]): string {
  const line = (tool: Tool) => `- \`${tool.name}\`: ${firstSentence(tool.description)}`;
  const others = all.filter((tool) => !loaded.includes(tool));
  const toolsets = [...new Set(others.map(({ toolset }) => toolset))].join(', ');
  return [
    ...loaded.map(line),
    ...(others.length === 0
      ? []
      : [
          '',
          `This connection has not loaded the tools below (toolsets ${toolsets}). To load all, connect to \`/mcp?toolsets=all\`, or start the stdio command with \`--toolsets all\`, which leaves out ${[...SERVICE_TOOLSETS.keys()].join(', ')}; \`read_only\` leaves out what writes. \`update_investigation_session\` changes items without them.`,
          ...others.map(line),
        ]),
    '',
    'Call get_docs with {"tool": "<name>"} for the fields of one tool.',
  ].join('\n');
}

/** What loads a tool that the connection has not loaded. */
export function howToLoad({ name, toolset }: Tool, loaded: readonly Tool[]): string {
  const toolsets = [...new Set(loaded.map((tool) => tool.toolset))];
  if (toolsets.includes(toolset))
    return `${name} writes, and this connection only reads: connect without read_only, or start the stdio command without --read-only`;
  const wanted = [...toolsets, toolset].join(',');
  const need = SERVICE_TOOLSETS.get(toolset);
  if (need !== undefined)
    return `${name} is not loaded. It belongs to the toolset ${toolset}, which needs the running service (${need}): connect to its /mcp?toolsets=${wanted}`;
  return `${name} is not loaded. It belongs to the toolset ${toolset}: connect to /mcp?toolsets=${wanted}, or start the stdio command with --toolsets ${wanted}`;
}

/** Parts of a tool's documentation: all but the fields of the response, those alone, or all. */
export const PARTS = ['input', 'answer', 'all'] as const;
export type Part = (typeof PARTS)[number];

/** The documentation of a tool in Markdown. */
export function documentTool(tool: Tool, part: Part = 'all'): string {
  const answer = tool.output
    ? ['## Fields of the response', ...fieldSections('', tool.output)]
    : ['The response is text alone.'];
  if (part === 'answer') return [`# ${tool.name}`, tool.reading, ...answer, ''].join('\n\n');
  return [
    `# ${tool.name}`,
    tool.description,
    '## Input',
    ...fieldSections('', tool.input),
    ...(JSON.stringify(tool.input).includes('"source_type"')
      ? ['## Choosing a source type', CHOOSING_A_SOURCE_TYPE]
      : []),
    '## Example',
    ...exampleNeeds(tool),
    `\`\`\`json\n${JSON.stringify(tool.example, null, 2)}\n\`\`\``,
    '## Reading the response',
    tool.reading,
    ...(part === 'all' ? answer : [`For every field of the response, ask with \`"part": "answer"\`.`]),
    '',
  ].join('\n\n');
}

function exampleNeeds({ exampleNeeds: needs = [] }: Tool): string[] {
  return needs.length === 0 ? [] : [`After the example of ${needs.join(', then of ')}:`];
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly FieldSchema[];
}

/** A table of an object's fields, followed by the tables of the objects in it. */
function fieldSections(path: string, schema: FieldSchema | JsonSchema): string[] {
  const { properties = {}, required = [] } = schema as FieldSchema;
  const fields = Object.entries(properties);
  if (fields.length === 0) return path === '' ? ['None.'] : [];
  const rows = fields.map(
    ([name, field]) =>
      `| \`${name}\` | ${typeName(field)} | ${required.includes(name) ? 'yes' : 'no'} | ${describe(field)} |`,
  );
  const table = ['| Field | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const nested = fields.flatMap(([name, field]) => {
    const inner = alternatives(field).find(({ type }) => type === 'array' || type === 'object');
    return inner?.type === 'array'
      ? fieldSections(`${path}${name}[].`, inner.items ?? {})
      : fieldSections(`${path}${name}.`, inner ?? {});
  });
  return [...(path === '' ? [] : [`### ${path.slice(0, -1)}`]), table, ...nested];
}

/** What a value may be, null aside. */
function alternatives(field: FieldSchema): readonly FieldSchema[] {
  if (field.anyOf) return field.anyOf.filter(({ type }) => type !== 'null');
  const types = [field.type ?? []].flat().filter((type) => type !== 'null');
  return [types.length === 1 ? { ...field, type: types[0]! } : field];
}

function typeName(field: FieldSchema): string {
  const isNullable = field.anyOf?.some(({ type }) => type === 'null') || [field.type].flat().includes('null');
  const names = new Set(alternatives(field).map(plainTypeName));
  return [...names, ...(isNullable ? ['null'] : [])].join(' or ');
}

function plainTypeName({ type, format, items }: FieldSchema): string {
  if (type === 'array') return `array of ${items === undefined ? 'values' : typeName(items)}`;
  if (format === 'date-time') return 'RFC 3339 timestamp';
  return typeof type === 'string' ? type : (type ?? ['value']).join(' or ');
}

function describe(field: FieldSchema): string {
  return [
    field.description,
    field.enum && `One of: ${field.enum.filter((word) => word !== null).join(', ')}.`,
    field.default !== undefined && `Default: ${String(field.default)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
