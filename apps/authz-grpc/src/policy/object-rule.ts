import { judgeObjectText } from '@platform/decide/object-uri';
import { expand, readTemplate, type LiteralKind, type Rule, type TemplatePart } from '@platform/decide/parts';
import { OWNER_PLACEHOLDER, readRegexShape, USER_PLACEHOLDER } from '@platform/decide/regex';

/** Text that every match of a rule holds, and whether the match begins or ends with it. */
interface KnownText {
  readonly text: string;
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * What the literal text of a rule on `object` says about it: null when some object may match;
 * `other_spelling` when only spellings could that checks refuse; `no_object` when it names none at all.
 */
export function judgeObjectRule(rule: Rule, pattern: string): 'other_spelling' | 'no_object' | null {
  const judged = new Set(knownTexts(rule, pattern).map((known) => judgeObjectText(known.text, known)));
  if (judged.has('no_object')) return 'no_object';
  return judged.has('other_spelling') ? 'other_spelling' : null;
}

function knownTexts({ matcher }: Rule, pattern: string): KnownText[] {
  switch (matcher.kind) {
    case 'glob':
      return between(
        matcher.glob.tokens.map((token) => (token.kind === 'text' ? token.text : null)),
        'exact',
      );
    case 'template':
      return between(matcher.parts.map(textOf), matcher.literal);
    case 'regex':
    case 'expanded':
      return between([regexPrefix(pattern), null], 'prefix');
    default:
      return between([matcher.text], matcher.kind);
  }
}

/** The texts of a pattern; null stands for what is not known before a check. */
function between(parts: readonly (string | null)[], kind: LiteralKind): KnownText[] {
  const isStart = kind !== 'suffix' && kind !== 'contains';
  const isEnd = kind === 'exact' || kind === 'suffix';
  return parts.flatMap((text, index) =>
    text === null || text === ''
      ? []
      : [{ text, start: isStart && index === 0, end: isEnd && index === parts.length - 1 }],
  );
}

function textOf(part: TemplatePart): string | null {
  return typeof part === 'string' ? part : null;
}

/** The literal text that every match of a REGEX begins with, up to its first macro. */
function regexPrefix(pattern: string): string {
  const marks = { user: USER_PLACEHOLDER, owner: OWNER_PLACEHOLDER };
  const shape = readRegexShape(expand(readTemplate(pattern).parts, marks, (text) => text));
  return (shape?.prefix ?? '').split(/[\u{fdd0}\u{fdd1}]/u, 1)[0] as string;
}
