/** The text, cut when it is long. */
export function short(text: string, charactersMax = 200): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/** A share of 1 in whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
