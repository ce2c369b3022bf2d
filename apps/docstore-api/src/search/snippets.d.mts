/** A line on which a match begins, from 1, and the text around it. */
export interface Snippet {
  readonly line: number;
  readonly snippet: string;
}

export function snippetsOf(text: string, next: (from: number) => number, max: number): Snippet[];
export function nextOfScript(text: string, regex: RegExp, isFolded: boolean): (from: number) => number;
