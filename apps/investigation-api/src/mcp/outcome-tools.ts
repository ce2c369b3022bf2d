import { whereSaid } from '@platform/opinion-fusion';
import type { z } from 'zod';
import * as schemas from '../wire/outcome-schema.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { listText } from './response-text.ts';
import { sessionTool } from './session-tool.ts';
import type { Tool } from './tool.ts';
import { DELETES, READS, SETS } from './tool.ts';
import { outline } from './tool-schema.ts';
import { counted, percent, short } from './words.ts';

const NEEDS_JUDGEMENT = ['create_investigation_session', 'judge_investigation_session'];
const NEEDS_OUTCOME = [...NEEDS_JUDGEMENT, 'record_outcome'];
/** That of the question of the example. */
const EXAMPLE_OUTCOME_ID = '89acf8f1-a77d-ec1a-d37c-f5fb4d62eb36';

/** Tools on what turned out to be true. */
export const OUTCOME_TOOLS: readonly Tool[] = [
  sessionTool('record_outcome', {
    toolset: 'outcomes',
    annotations: SETS,
    description:
      'Records what turned out to be true of a question (subject and predicate) of a session, of one scope and time where claims have several, in the place of an earlier outcome, and scores the last judgement before it was known. Ask your user first.',
    input: schemas.RecordOutcome,
    example: { ...EXAMPLE_SESSION, subject_id: 'bridge', predicate: 'closed', value: 'true' },
    exampleNeeds: NEEDS_JUDGEMENT,
    reading:
      '`forecast` is what that judgement had said, null where there was none: `was_right` is about `leading_value`, or its denial where `denied`, of a yes-or-no question the answer, `chance_of_outcome` about what turned out to be true.',
    text: outcomeText,
  }),
  sessionTool('list_outcomes', {
    toolset: 'outcomes',
    annotations: READS,
    description: 'Lists what turned out to be true of a session, the last recorded first.',
    input: schemas.ListOutcomes,
    arrayKey: 'outcomes',
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_OUTCOME,
    reading: 'Where `next_cursor` is given there are more: ask again with it as `cursor`.',
    text: ({ outcomes }: { outcomes: z.output<typeof schemas.OutcomeResponse>[] }) =>
      listText(outcomes, 'outcomes', outcomeText),
  }),
  sessionTool('get_calibration', {
    toolset: 'outcomes',
    annotations: READS,
    description:
      'How right judgements were, over all sessions that you may read: accuracy, Brier score, log score, calibration by bins of stated chance, and by domain.',
    input: schemas.CalibrationQuery,
    listing: outline,
    compact: {},
    example: {},
    reading:
      'A well calibrated bin has `share_right` near `mean_chance`. With fewer than 30 scored outcomes the figures say little.',
    text: calibrationText,
  }),
  sessionTool('list_source_records', {
    toolset: 'outcomes',
    annotations: READS,
    description: 'How often sources were right, over the sessions that you own, most statements first.',
    input: schemas.ListSourceRecords,
    listing: outline,
    arrayKey: 'sources',
    example: { name_filter: 'harbour' },
    reading:
      '`reliability` with its 90 % interval starts from the declared one, which counts as ten statements; apply_source_records makes a session use it. `owners` says whose outcomes count.',
    text: ({ sources }: { sources: z.output<typeof schemas.SourceRecord>[] }) =>
      listText(
        sources,
        'sources with a record',
        ({ name, right, statements, reliability }) =>
          `${short(name)}: right ${right} of ${counted(statements, 'time')}, reliability ${percent(reliability.mean)} (${percent(reliability.low)} to ${percent(reliability.high)})`,
      ),
  }),
  sessionTool('apply_source_records', {
    toolset: 'outcomes',
    annotations: SETS,
    description:
      'Sets base_reliability of the sources of a session by their record in the sessions that you own, where enough outcomes are known. Judge again to see the effect.',
    input: schemas.ApplySourceRecords,
    compact: {},
    example: { ...EXAMPLE_SESSION, statements_min: 1 },
    exampleNeeds: NEEDS_OUTCOME,
    reading:
      '`applied` lists what changed, `put_back` what lost its record; `kept` counts the sources left as they are.',
    text: ({ applied, put_back, kept }: z.output<typeof schemas.ApplySourceRecordsResponse>) =>
      [
        `Reliability set to that of the record: ${counted(applied.length, 'source')}; left as it was: ${kept}.`,
        ...(applied.length === 0
          ? []
          : [
              listText(
                applied,
                'sources',
                ({ name, before, base_reliability, right, statements }) =>
                  `${short(name)}: ${stated(before)} before, now ${percent(base_reliability)}, right ${right} of ${counted(statements, 'time')}`,
              ),
            ]),
        ...(put_back.length === 0
          ? []
          : [
              listText(
                put_back,
                'sources without a record any more',
                ({ name, before, base_reliability }) =>
                  `${short(name)}: ${stated(before)} before, now ${stated(base_reliability)}`,
              ),
            ]),
      ].join('\n'),
  }),
  sessionTool('delete_outcome', {
    toolset: 'outcomes',
    annotations: DELETES,
    description: 'Deletes an outcome of a session, and what it taught about sources.',
    input: schemas.OutcomeReference,
    example: { ...EXAMPLE_SESSION, outcome_id: EXAMPLE_OUTCOME_ID },
    exampleNeeds: NEEDS_OUTCOME,
    reading: 'A second call finds no such outcome.',
    text: () => 'The outcome is deleted.',
  }),
];

const stated = (reliability: number | null) => (reliability === null ? 'none stated' : percent(reliability));

function outcomeText(outcome: z.output<typeof schemas.OutcomeResponse>): string {
  const { subject_id, predicate, value, forecast, caution } = outcome;
  const known = `${subject_id} ${predicate}: ${short(value)}${placeOf(outcome)}`;
  if (forecast === null) return `${known}; ${caution}`;
  const { leading_value, denied, likelier, chance, was_right, sources_right, sources_wrong } = forecast;
  const where = placeOf(forecast);
  const said =
    leading_value === null
      ? `no value${forecast.tied ? `, several tied at ${percent(chance)} each` : ''}`
      : `${denied ? 'not ' : ''}${short(leading_value)}${where} with a chance of ${percent(chance)}`;
  const rival = likelier ? `, ${short(likelier.value, 80)} likelier (${percent(likelier.chance)})` : '';
  return `${known}; judged before: ${said}${rival}${was_right === null ? '' : was_right ? ', right' : ', wrong'}; ${counted(sources_right, 'source')} right, ${sources_wrong} wrong${caution === null ? '' : `. Caution: ${caution}`}`;
}

/** Scope and time in brackets; empty where none is named. */
function placeOf(place: Parameters<typeof whereSaid>[0]): string {
  const where = whereSaid(place);
  return where === '' ? '' : ` (${short(where)})`;
}

function calibrationText(report: z.output<typeof schemas.CalibrationResponse>): string {
  const { scored, outcomes, unscored, accuracy, brier, calibration_error } = report;
  if (accuracy === null) return `${counted(outcomes, 'outcome')}, none of them scored.`;
  return [
    `${counted(scored, 'judgement')} scored: ${percent(accuracy)} right, Brier score ${brier!.toFixed(3)}, calibration error ${calibration_error!.toFixed(3)}.${unscored === 0 ? '' : ` ${counted(unscored, 'outcome')} more not scored.`}`,
    ...report.bins
      .filter(({ count }) => count > 0)
      .map(
        ({ mean_chance, share_right, count }) =>
          `- said ${percent(mean_chance!)}: right ${percent(share_right!)} (${count})`,
      ),
  ].join('\n');
}
