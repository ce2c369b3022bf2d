import { checkInput, type InvestigationInput } from '@platform/opinion-fusion';
import { parseStrictJson, InvalidJsonError } from '@platform/strict-json';
import { LeftOutList, UnreadableFile, withLeftOut, type Imported } from './imported.ts';
import { jsonBytes, type Judged } from './judged.ts';
import { settingsOf } from './settings.ts';
import { DEPTH_MAX, isObject, readText, type JsonObject } from './read-json.ts';

/** Members under which sessions, judgements and shares have the investigation. */
const WRAPPERS = ['payload', 'input', 'input_snapshot'];
/** What a file without a question asks; where it is merged into a session, that one's own question stays. */
const QUESTION = 'What do the claims of the file say?';
/** Problems that a refusal lists. */
const PROBLEMS_SHOWN = 20;

/**
 * Our own JSON: an investigation, or a session, judgement, share or export that holds one. It is taken whole
 * or refused with every problem; the question alone may be missing. Throws UnreadableFile.
 */
export function readInvestigation(bytes: Uint8Array): Imported {
  let value: unknown;
  try {
    value = parseStrictJson(readText(bytes), { depthMax: DEPTH_MAX });
  } catch (error) {
    if (error instanceof InvalidJsonError) throw new UnreadableFile(error.message);
    throw error;
  }
  if (!isObject(value)) throw new UnreadableFile('the file holds no investigation: it must be a JSON object');
  const object = value;
  const wrapper = WRAPPERS.find((name) => isObject(object[name]) && !('claims' in object));
  const investigation = wrapper === undefined ? object : (object[wrapper] as JsonObject);
  const leftOut = new LeftOutList();
  const others = Object.keys(object).filter((key) => key !== wrapper && !JUDGED_FIELDS.includes(key));
  if (wrapper !== undefined && others.length > 0)
    leftOut.add(
      '$',
      `the investigation is ${wrapper}: ${others.join(', ').slice(0, 1_000)} are not part of it`,
    );
  const checked = checkedInvestigation(
    {
      ...investigation,
      ...('claims' in investigation && { research_question: investigation['research_question'] ?? QUESTION }),
    },
    wrapper === undefined ? '' : `${wrapper}.`,
  );
  const { written } = object;
  return withLeftOut(
    { ...checked, settings: settingsOf(investigation), ...(wrapper !== undefined && { written }) },
    leftOut,
  );
}

/** What an export has besides the investigation: what was made of it, which judging it again makes again. */
const JUDGED_FIELDS = ['name', 'judgement', 'input_sha256', 'result_sha256', 'result', 'quotes', 'written'];

/**
 * An investigation as it is; `within` is where it stands in the file. Throws UnreadableFile naming its
 * problems; unknown fields are kept and named, as they count for nothing when judging.
 */
export function checkedInvestigation(input: unknown, within = ''): Imported {
  const { problems, total, warnings } = checkInput(input);
  if (total > 0) {
    const shown = problems
      .slice(0, PROBLEMS_SHOWN)
      .map(({ path, message }) => `${within}${path}: ${message}`);
    throw new UnreadableFile(
      [...shown, ...(total > shown.length ? [`and ${total - shown.length} more`] : [])].join('\n'),
    );
  }
  const leftOut = new LeftOutList();
  for (const warning of warnings) leftOut.add('$', warning);
  const payload = input as InvestigationInput;
  return { payload, settings: settingsOf(payload), leftOut: leftOut.list, leftOutTotal: leftOut.total };
}

/** The investigation, its result and what became of its quotes, as the service keeps them. */
export function writeInvestigation(judged: Judged): Uint8Array {
  const { session_name, judgement, input, input_sha256, result, result_sha256, quotes } = judged;
  return jsonBytes({
    name: session_name,
    judgement,
    input_sha256,
    result_sha256,
    input,
    result,
    ...(quotes && { quotes }),
  });
}
