import { groupBy } from './group-by.ts';
import { questionSubject, readable } from '@platform/opinion-fusion';
import { rivalAttacks } from './aif/write-aif.ts';
import { conditionsOf, inferenceWords, ruleOf, type InferenceInput } from './claim-words.ts';
import { keptDistinctions, keptInferences, verdictsOf, withdrawnClaims, type Judged } from './judged.ts';

/**
 * The investigation in Argdown: a section for each verdict, claims, inferences, the distinctions that the
 * judgement kept, and evidence as statements named by kind and id, with their source, value, rule and sides
 * as data; `+` supports and `-` attacks. Source: argdown.org/syntax.
 */
export function writeArgdown(judged: Judged): Uint8Array {
  const { input, session_name: name } = judged;
  const actors = new Map(input.actors.map((actor) => [actor.id, actor.name]));
  const attackers = groupBy(rivalAttacks(judged), ([, to]) => to);
  const metas = groupBy(input.claims, ({ target_claim_id: target }) => target ?? null);
  const evidence = groupBy(input.evidence ?? [], ({ claim_id: id }) => id);
  const withdrawn = withdrawnClaims(judged);
  const titles = new Titles();
  const statementOf = (claim: Judged['input']['claims'][number]): string[] => {
    const data = {
      id: claim.id,
      source: actors.get(claim.actor_id) ?? claim.actor_id,
      value: claim.value,
      ...conditionsOf(claim),
      ...(claim.url && { url: claim.url }),
      ...(withdrawn.has(claim.id) && { status: withdrawn.get(claim.id) }),
    };
    const relations = [
      ...(evidence.get(claim.id) ?? []).flatMap(({ id, valence }) =>
        valence === 'Neutral'
          ? []
          : [`  ${valence === 'Refutes' ? '-' : '+'} [${titles.of('evidence', id)}]`],
      ),
      ...(metas.get(claim.id) ?? []).map(
        ({ id, valence }) => `  ${valence === 'Refutes' ? '-' : '+'} [${titles.of('claim', id)}]`,
      ),
      ...(attackers.get(claim.id) ?? []).map(([from]) => `  - [${titles.of('claim', from)}]`),
    ];
    return [
      `[${titles.of('claim', claim.id)}]: ${escaped(claim.content)} ${flowMap(data)}`,
      ...relations,
      '',
    ];
  };
  const kept = new Set(keptInferences(judged));
  const ruled = (inference: InferenceInput) => ({
    id: inference.id,
    rule: inference.rule_type,
    ...ruleOf(inference),
    ...(!kept.has(inference) && { status: 'dropped' }),
  });
  const inferredOf = (inference: InferenceInput): string[] => [
    `[${titles.of('inference', inference.id)}]: ${escaped(inferenceWords(inference, input))} ${flowMap(ruled(inference))}`,
    ...inference.premise_claim_ids.map((id) => `  + [${titles.of('claim', id)}]`),
    '',
  ];
  const verdicts = verdictsOf(judged);
  const written = new Set<string>();
  const inferred = new Set<InferenceInput>();
  const sections = verdicts.flatMap((verdict) => {
    const isOfVerdict = (item: { readonly subject_id?: string | null; readonly predicate: string }) =>
      item.subject_id === verdict.subject_id && item.predicate === verdict.predicate;
    const claims = input.claims.filter(isOfVerdict);
    const inferences = (input.inferences ?? []).filter(isOfVerdict);
    claims.forEach(({ id }) => written.add(id));
    inferences.forEach((inference) => inferred.add(inference));
    return [
      `# ${escaped(`${questionSubject(verdict.subject_name, verdict.predicate)}: ${readable(verdict.predicate)}`)}`,
      '',
      ...claims.flatMap(statementOf),
      ...inferences.flatMap(inferredOf),
    ];
  });
  const others = input.claims.filter(({ id }) => !written.has(id));
  const unjudged = (input.inferences ?? []).filter((inference) => !inferred.has(inference));
  const distinctions = keptDistinctions(judged).flatMap(
    ({ id, feature, description, argument_a, condition_a, argument_b, condition_b }) => [
      `[${titles.of('distinction', id)}]: ${escaped(description?.trim() || feature)} ${flowMap({ id, feature, argument_a, condition_a, argument_b, condition_b })}`,
      '',
    ],
  );
  const lines = [
    '===',
    `title: ${JSON.stringify(name.toWellFormed())}`,
    `subTitle: ${JSON.stringify(input.research_question.toWellFormed())}`,
    '===',
    '',
    ...sections,
    ...(others.length === 0 ? [] : ['# Claims about claims', '', ...others.flatMap(statementOf)]),
    ...(unjudged.length === 0 ? [] : ['# Inferences without a verdict', '', ...unjudged.flatMap(inferredOf)]),
    ...(distinctions.length === 0 ? [] : ['# Distinctions', '', ...distinctions]),
    ...((input.evidence ?? []).length === 0 ? [] : ['# Evidence', '']),
    ...(input.evidence ?? []).flatMap((item) => [
      `[${titles.of('evidence', item.id)}]: ${escaped(item.content)} ${flowMap({ id: item.id })}`,
      '',
    ]),
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Titles of statements: the kind and the id, or a number where the id cannot stand in brackets. */
class Titles {
  readonly #byId = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(kind: string, id: string): string {
    const key = `${kind}\n${id}`;
    const known = this.#byId.get(key);
    if (known !== undefined) return known;
    let title = /^[\p{L}\p{N} ._-]{1,80}$/u.test(id) && !/^ | {2}| $/.test(id) ? `${kind} ${id}` : '';
    for (let n = this.#byId.size + 1; title === '' || this.#taken.has(title); n += 1)
      title = `${kind} no. ${n}`;
    this.#byId.set(key, title);
    this.#taken.add(title);
    return title;
  }
}

/** Text on one line in which no character is markup. */
function escaped(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line === '' ? '(no words)' : line.replace(/[\\[\]<>*_#{}/@:+\-^~|=&%.]/g, '\\$&');
}

/**
 * Data in braces, as YAML's flow style, of which JSON is a part: on one line, with every white space but
 * single spaces as its code, so that an id finds its claim, and with braces as theirs, since the parser takes
 * the first one before a space for the end of the data. The names of the fields need no code.
 */
const flowMap = (data: Readonly<Record<string, string>>) => {
  const coded = (value: string) =>
    JSON.stringify(value).replace(/[^\S ]|[{}\u007f-\u009f\ufffe\uffff]|  +/g, (found) =>
      [...found].map(codeOf).join(''),
    );
  return `{${Object.entries(data)
    .map(([name, value]) => `"${name}":${coded(value)}`)
    .join(',')}}`;
};

const codeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
