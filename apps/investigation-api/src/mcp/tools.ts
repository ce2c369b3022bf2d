import { z } from 'zod';
import { workFor } from '../access/caller.ts';
import { INPUT_SCHEMAS } from '../wire/investigation-schema.ts';
import { valueOfResponse } from '../wire/json-bytes.ts';
import { InvestigationResult, InvestigationSummary } from '../wire/result-schema.ts';
import { submitInvestigation } from '../operations/submit-investigation.ts';
import { checkedArguments } from './checked-arguments.ts';
import { READING_A_RESULT } from './docs.ts';
import { EXAMPLE_INVESTIGATION } from './examples.ts';
import { essentialsOf } from './compact-response.ts';
import { compactQuotes, quotesLines } from './compact-quotes.ts';
import { DOCUMENT_TOOLS } from './document-tools.ts';
import { FILE_TOOLS } from './file-tools.ts';
import { fitted, RESPONSE_BUDGET } from './fitted-data.ts';
import { getDocs, GetDocsInput } from './get-docs.ts';
import { Detail } from './session-tool.ts';
import { MEMBER_TOOLS } from './member-tools.ts';
import { OUTCOME_TOOLS } from './outcome-tools.ts';
import { WATCH_TOOLS } from './watch-tools.ts';
import { ENTITY_TOOLS, SESSION_TOOLS, SHARE_TOOLS } from './session-tools.ts';
import { briefly, inputSchema, outputSchema } from './tool-schema.ts';
import type { ToolSelection } from './tool-selection.ts';
import type { Tool } from './tool.ts';
import { READS, refuseHugeResponse } from './tool.ts';
import { summarizeVerdict } from './verdict-summary.ts';

/**
 * Full or compact, as one object, because clients want an object at the root: what both have is required,
 * what only one has is optional.
 */
const AnalysisResponse = z.object({
  ...InvestigationSummary.partial().shape,
  ...InvestigationResult.partial().shape,
  research_question: InvestigationResult.shape.research_question,
  decay_half_life_days: InvestigationResult.shape.decay_half_life_days,
  evaluated_at: InvestigationResult.shape.evaluated_at,
  engine_version: InvestigationResult.shape.engine_version,
  warnings: InvestigationResult.shape.warnings,
  // Listed in brief: list_judgement_quotes documents it.
  quotes: z.looseObject({}).optional(),
});

/**
 * Larger results come as their summary unless the call says in which form it wants them. Bytes; what is left
 * of RESPONSE_BUDGET is for the lines for people.
 */
const FULL_BYTES_MAX = 6_500;

/** The calls that give all of a result which is too large for one response. */
const AS_SESSION =
  'call create_investigation_session with the same as its payload, judge_investigation_session, and then get_latest_session_judgement with limit and offset';
const SUMMARY = `This is the summary. For every part ask with detail full and without summary_mode; where that is too large, ${AS_SESSION}.`;

const INPUT = inputSchema(INPUT_SCHEMAS.InvestigationInput.extend({ detail: Detail }));

/** Every tool, in the order in which clients see them. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'submit_investigation',
    title: 'Judge contested claims',
    description:
      'Judges contested claims: a verdict per subject and predicate (True, False, Both, Neither, with ' +
      'its chance), rival interpretations, copied sources, stale claims, the next evidence. Stores nothing; detail full: all.',
    toolset: 'analysis',
    annotations: READS,
    input: INPUT,
    listedInput: briefly(briefly(INPUT, 'source'), 'reliability_record'),
    output: outputSchema(AnalysisResponse),
    narrower: AS_SESSION,
    example: EXAMPLE_INVESTIGATION,
    reading: READING_A_RESULT,
    async call(deps, input, { signal, onProgress, caller, rawArguments }) {
      const response = await submitInvestigation(deps, rawArguments ?? checkedArguments(input), {
        signal,
        onProgress,
        asValue: true,
        fullBytesMax: FULL_BYTES_MAX,
        credential: caller.credential,
        ...workFor(caller),
      });
      refuseHugeResponse(response, `leave out detail for the summary; for every verdict ${AS_SESSION}`);
      const result = valueOfResponse(response);
      const { quotes } = result;
      const text = [summarizeVerdict(result), ...quotesLines(quotes)].join('\n');
      if (!('summary_mode' in result)) return { text, data: result };
      const data = { ...essentialsOf(result), ...(quotes && { quotes: compactQuotes(quotes) }) };
      const told = `${text}\n${SUMMARY}`;
      return { text: told, ...fitted(data, RESPONSE_BUDGET - Buffer.byteLength(told)) };
    },
  },
  ...SESSION_TOOLS,
  ...SHARE_TOOLS,
  ...MEMBER_TOOLS,
  ...OUTCOME_TOOLS,
  ...WATCH_TOOLS,
  ...ENTITY_TOOLS,
  ...DOCUMENT_TOOLS,
  ...FILE_TOOLS,
  {
    name: 'get_docs',
    title: 'Read the documentation',
    description:
      'Explains one tool: every field with its meaning, an example that works, how to read the response.',
    toolset: 'docs',
    annotations: READS,
    input: inputSchema(GetDocsInput),
    example: { tool: 'submit_investigation' },
    reading: 'The response is Markdown.',
    call: (_deps, input, { tools }) => getDocs(TOOLS, tools, input),
  },
];

/** The tools of a selection, in their fixed order. */
export function selectTools({ toolsets, readOnly }: ToolSelection): Tool[] {
  return TOOLS.filter(
    (tool) => toolsets.includes(tool.toolset) && (!readOnly || tool.annotations.readOnlyHint === true),
  );
}
