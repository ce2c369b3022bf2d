import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { DomainError } from '@platform/error-contracts';
import type {
  InvestigationResult as Result,
  InvestigationSummary as Summary,
} from '@platform/opinion-fusion';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { AnalysisProgress } from '../engine/analysis-task.ts';
import type { Caller } from '../access/caller.ts';
import { INPUT_SCHEMAS } from '../operations/investigation-schema.ts';
import { InvestigationResult, InvestigationSummary } from '../operations/result-schema.ts';
import type { SubmitInvestigationDeps } from '../operations/submit-investigation.ts';
import { submitInvestigation } from '../operations/submit-investigation.ts';
import { EXAMPLE_INVESTIGATION, READING_A_RESULT } from './docs.ts';
import { getDocs } from './get-docs.ts';
import type { JsonSchema } from './tool-schema.ts';
import { inputSchema, outputSchema } from './tool-schema.ts';
import { summarizeVerdict } from './verdict-summary.ts';

/** What tools may use. */
export type ToolDeps = SubmitInvestigationDeps & { readonly logger: Logger };

/** One call of a tool, apart from its input. */
export interface ToolCall {
  /** Null over stdio, where the caller is whoever started the process. */
  readonly caller: Caller | null;
  /** The tools this connection shows. */
  readonly tools: readonly Tool[];
  /** Aborted when the call is cancelled or the client is gone. */
  readonly signal: AbortSignal;
  /** Present when the client asked for progress. */
  readonly onProgress?: (progress: AnalysisProgress) => void;
}

/** What a tool answers: a few lines for people, and the data where the tool has an output schema. */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: object;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 300 characters; the rest is in get_docs. */
  readonly description: string;
  readonly toolset: Toolset;
  readonly annotations: ToolAnnotations;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** Arguments that work as they stand. */
  readonly example: object;
  /** How to read the answer, in Markdown. */
  readonly reading: string;
  /** Runs the operation. `input` is what the client sent, unchecked. Throws DomainError. */
  readonly call: (deps: ToolDeps, input: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/** Largest result that is sent: more overflows the buffers of stdio clients, and no model reads it. Bytes. */
const RESULT_BYTES_MAX = 4 * 1024 * 1024;

function refuseHugeResult(bytes: number): void {
  if (bytes <= RESULT_BYTES_MAX) return;
  throw new DomainError(
    'payload_too_large',
    `the result has ${bytes} bytes, more than the ${RESULT_BYTES_MAX} of a tool's answer: set summary_mode to true or send fewer claims`,
  );
}

export const TOOLSETS = ['analysis', 'docs'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Changes nothing anywhere, and speaks to nobody outside. */
const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/**
 * Full or compact, as one object, because clients want an object at the root: what both have is required, what only one
 * has is optional.
 */
const AnalysisAnswer = z.object({
  ...InvestigationSummary.partial().shape,
  ...InvestigationResult.partial().shape,
  research_question: InvestigationResult.shape.research_question,
  decay_half_life_days: InvestigationResult.shape.decay_half_life_days,
  evaluated_at: InvestigationResult.shape.evaluated_at,
  engine_version: InvestigationResult.shape.engine_version,
  warnings: InvestigationResult.shape.warnings,
});

const GetDocsInput = z.object({
  tool: z.string().optional().describe('Name of a tool; leave out to list all.'),
});

/** Every tool, in the order in which clients see them. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'submit_investigation',
    title: 'Judge contested claims',
    description:
      'Judges who says what about which subject: fuses the claims of all sources into a verdict per subject and predicate ' +
      '(True, False, Both, Neither, with probability), finds rival interpretations, copied sources, stale claims and the ' +
      'evidence that would help most. Stores nothing.',
    toolset: 'analysis',
    annotations: READS,
    input: inputSchema(INPUT_SCHEMAS.InvestigationInput as z.ZodObject),
    output: outputSchema(AnalysisAnswer),
    example: EXAMPLE_INVESTIGATION,
    reading: READING_A_RESULT,
    async call(deps, input, { signal, onProgress }) {
      const json = await submitInvestigation(deps, input, { signal, onProgress });
      refuseHugeResult(json.length);
      const result = JSON.parse(new TextDecoder().decode(json)) as Result | Summary;
      return { text: summarizeVerdict(result), data: result };
    },
  },
  {
    name: 'get_docs',
    title: 'Read the documentation',
    description:
      'Explains one tool in full: every input field with its meaning, limits and default, an example to start from, and how ' +
      'to read the answer. Without a tool name: all tools, one line each.',
    toolset: 'docs',
    annotations: READS,
    input: inputSchema(GetDocsInput),
    example: { tool: 'submit_investigation' },
    reading: 'The answer is Markdown.',
    call: (_deps, input, { tools }) => getDocs(tools, input),
  },
];

/** Which tools a connection gets. */
export interface ToolSelection {
  readonly toolsets: readonly Toolset[];
  readonly readOnly: boolean;
}

/** The tools of a selection, in their fixed order. */
export function selectTools({ toolsets, readOnly }: ToolSelection): Tool[] {
  return TOOLS.filter(
    (tool) => toolsets.includes(tool.toolset) && (!readOnly || tool.annotations.readOnlyHint === true),
  );
}
