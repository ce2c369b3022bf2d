/**
 * Recorded checks by column, so that a thread that passes them on need not read them. The values of a column
 * stand one behind the other with two U+0001 in between; a U+0001 in a value is followed by U+0002. A detail
 * is JSON, which holds neither, and is empty for a row without one.
 */
export interface PackedChecks {
  readonly subjects: string;
  readonly actions: string;
  readonly objects: string;
  readonly details: string;
}

/** One of them. */
interface UnpackedCheck {
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  readonly detail: string;
}

/** The checks in their order. */
export function* unpackChecks(checks: PackedChecks): Generator<UnpackedCheck> {
  const [subjects, actions, objects] = [checks.subjects, checks.actions, checks.objects].map(unpackColumn);
  const details = unpackColumn(checks.details);
  for (const [at, detail] of details.entries()) {
    yield {
      subject: subjects![at] as string,
      action: actions![at] as string,
      object: objects![at] as string,
      detail,
    };
  }
}

function unpackColumn(text: string): string[] {
  const values = text.split('\u0001\u0001');
  return text.includes('\u0001\u0002')
    ? values.map((value) => value.replaceAll('\u0001\u0002', '\u0001'))
    : values;
}
