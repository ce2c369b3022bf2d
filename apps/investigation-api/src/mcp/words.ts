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
