import { shownStatus } from '@platform/opinion-fusion';

/** The text, cut when it is long. */
export function short(text: string, charactersMax = 200): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/** A number with its noun: `1 claim`, `12 claims`. The plural is the noun with an s unless given. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${value} ${value === 1 ? noun : plural}`;
}

/** A share of 1 in whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/**
 * The truth status of a verdict, which tells on which side the weight of evidence is; where that is not what
 * readers are told, as of one weak source, the words say so.
 */
export function statusWords(verdict: Parameters<typeof shownStatus>[0]): string {
  const { truth_status: status } = verdict;
  const shown = shownStatus(verdict);
  return shown === status ? status : `${status} by weight of evidence, yet ${YET[shown]}`;
}

const YET = {
  True: 'very likely',
  False: 'unlikely',
  Both: 'contested',
  Neither: 'not enough to say',
} as const;
