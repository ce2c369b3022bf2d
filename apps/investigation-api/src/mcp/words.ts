import { likelihoodWord } from '@platform/opinion-fusion';

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
 * A truth status beside the chance that its statement is true. The status tells on which side the weight of
 * evidence is; where the chance is even or on the other side, as that of one weak source is, the words say
 * so.
 */
export function statusWords(status: string, chance: number): string {
  if (status === 'True' && chance < 0.5) return 'True by weight of evidence, yet less likely than not';
  if (status === 'False' && chance > 0.5) return 'False by weight of evidence, yet more likely than not';
  if ((status === 'True' || status === 'False') && likelihoodWord(chance) === 'roughly even chance')
    return `${status} by weight of evidence, yet about as likely as not`;
  if (status === 'Neither' && chance >= 0.8) return 'Neither by weight of evidence, yet very likely';
  return status;
}
