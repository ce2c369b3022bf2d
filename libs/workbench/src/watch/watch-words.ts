import { percent, placeText, questionSubject, readable, shownValue } from '@platform/viewer/browser';
import type { Subscription, WatchEvent, WatchRule } from '../api/wire.ts';

/** What each rule listens for, as a form offers it. */
export const RULES: Readonly<Record<WatchRule, { readonly label: string; readonly help: string }>> = {
  leading_changed: {
    label: 'Another value leads',
    help: 'Or none does any more, or the answer to a yes-or-no question turns from yes to no, or back.',
  },
  chance_moved: { label: 'A chance moves', help: 'By more than the step below.' },
  became_contested: { label: 'A verdict becomes contested', help: 'The evidence speaks for both sides.' },
  goes_stale: { label: 'A finding goes stale', help: 'Everything said about it has become out of date.' },
  document_changed: {
    label: 'A quoted document changes',
    help: 'It is edited, renamed, deleted or restored. You hear of documents that you may read.',
  },
  policies_changed: {
    label: 'The permissions change',
    help: 'Others may do more or less with investigations and documents. You hear of it if you may read policies.',
  },
};

/** The rules of a watch in words, such as “another value leads, a chance moves by more than 10 points”. */
export function rulesText({ rules, chance_step: step }: Pick<Subscription, 'rules' | 'chance_step'>): string {
  return rules
    .map((rule) => {
      const words = RULES[rule].label.toLowerCase();
      return rule === 'chance_moved' ? `${words} by more than ${plainNumber(step * 100)} points` : words;
    })
    .join(', ');
}

/** Without the error of binary fractions, such as 7.000000000000001. */
const plainNumber = (value: number) => String(Number(value.toPrecision(6)));

/**
 * What an event says about each of its questions, documents or sets of policies; `nameOf` gives the name of a
 * subject.
 */
export function eventLines(
  { type, data: { questions = [], documents, policy_sets: policySets } }: Pick<WatchEvent, 'type' | 'data'>,
  nameOf: (subjectId: string) => string,
): string[] {
  if (documents?.length === 0 || policySets?.length === 0) return ['You may not read what changed any more.'];
  if (documents !== undefined)
    return documents.map(({ filename, type: change, version }) => {
      const became = change === 'deleted' ? '' : `, now version ${version}`;
      return `${filename} was ${change === 'written' ? 'edited' : change}${became}`;
    });
  if (policySets !== undefined)
    return policySets.map(
      ({ version, message }) => `Policies, version ${version}${message === '' ? '' : `: ${message}`}`,
    );
  return questions.map(({ subject_id, predicate, before, before_now: left, after }) => {
    const question = `${questionSubject(nameOf(subject_id), predicate)}, ${readable(predicate)}`;
    const likelier = (one: typeof before) =>
      one?.likelier
        ? `, though ${shownValue(one.likelier.value)} is likelier (${percent(one.likelier.chance)})`
        : '';
    const led = (one: typeof before) =>
      one === undefined || one.value === null
        ? one?.tied
          ? `a tie (${percent(one.chance ?? 0)} each)`
          : 'nothing'
        : `${shownValue(one.value)}${placeText({ ...one, value: one.value })} (${[one.denied && 'denied', one.tied && 'tied', one.chance === null || percent(one.chance)].filter((word) => typeof word === 'string').join(', ')})`;
    return type === 'goes_stale' || (before === undefined && after === undefined)
      ? question
      : `${question}: ${led(before)} before${likelier(before)}${left === undefined ? '' : `, which has ${percent(left)} now`}, ${led(after)} now${likelier(after)}`;
  });
}
