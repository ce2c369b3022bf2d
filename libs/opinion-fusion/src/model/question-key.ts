/** The name of a question in maps. */
export function questionKey(subjectId: string, predicate: string): string {
  return JSON.stringify([subjectId, predicate]);
}
