import { canonicalObject, whatNoObjectHolds } from '@platform/decide/object-uri';
import {
  compileRule,
  expand,
  MACRO_BYTES_MAX,
  readTemplate,
  RuleError,
  startCheck,
  testRule,
  type DomainRegexes,
  type Rule,
} from '@platform/decide/parts';
import {
  escapeForRegex,
  findCompileError,
  regexEngine,
  RegexMemory,
  readRegexShape,
} from '@platform/decide/regex';
import { isName, NAME_CHARACTERS_MAX, TEXT_BYTES_MAX } from '../text.ts';
import { respelledUuid } from './check-context.ts';
import { judgeObjectRule } from './object-rule.ts';
import type {
  Engine,
  ErrorCode,
  PolicyFinding,
  PolicyStatement,
  UncheckedPolicy,
  Validation,
  WarningCode,
} from './types.ts';

/** UTF-8 bytes of one rule value ("bad or oversized pattern"). */
export const PATTERN_BYTES_MAX = 1_024;

/**
 * Positions of all regexes of a domain: compiled, they take about a kibibyte each, and what a domain needs
 * is to stay in memory between its checks.
 */
const DOMAIN_POSITIONS_MAX = 80_000;

/** Pairs of an allow's statement and a deny's that are compared: thousands of both would take minutes. */
export const COMPARISONS_MAX = 2_000_000;

/** The meaning of the contract's engine names and numbers; unknown numbers arrive as some other string. */
const ENGINE_ERRORS: Readonly<Record<string, { code: ErrorCode; message: string } | null>> = {
  fixed: null,
  prefix: null,
  regex: null,
  glob: null,
  unspecified: { code: 'engine_unspecified', message: 'the engine is not specified' },
  first_order_logic: {
    code: 'engine_unimplemented',
    message: 'first order logic is reserved and not implemented',
  },
};

/** Attributes that every request has; a statement over others may simply never be reached. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(['subject', 'action', 'object']);
// Lone surrogates have no UTF-8, NUL has no place in a Postgres text, and the noncharacters mark macros.
const MALFORMED = /[\p{Surrogate}\0\u{fdd0}\u{fdd1}]/u;

/** A policy without errors, with what its rules compiled to. */
interface Readable {
  readonly index: number;
  readonly policy: UncheckedPolicy;
  readonly statements: readonly (readonly Rule[])[];
}

/**
 * Judges a domain's policies before they are written: `errors` refuse the write, `warnings` do not. Compiles
 * every REGEX whole, macros at their largest, which may take 300 ms a pattern: call it in a worker. Never
 * throws, whatever the strings hold.
 *
 * Warnings: a REGEX not tied to both ends; an allow that some deny of the same set always overrides; a policy
 * that allows or denies every request; an inverted deny on an attribute that a request may lack; text that
 * another engine, or no check, would read as its author meant it. Overridden allows are only given where they
 * are certain, and for as many allows as `COMPARISONS_MAX` goes round.
 */
export function validatePolicies(policies: readonly UncheckedPolicy[]): Validation {
  const errors: PolicyFinding[] = [];
  const warnings: PolicyFinding[] = [];
  const readable: Readable[] = [];
  const names = new Set<string>();
  // One for all, as some limits are those of a domain's regexes together.
  const regexes = regexEngine(new RegexMemory(0)).openDomain();
  const size: RegexSize = { patterns: new Set(), positions: 0 };
  policies.forEach((policy, index) => {
    const before = errors.length;
    const report = (
      code: ErrorCode,
      message: string,
      statement: number | null = null,
      key: string | null = null,
    ) => errors.push({ policy: policy.name, policyIndex: index, statement, key, code, message });
    if (policy.name === '') report('name_missing', 'the policy has no name');
    if (names.has(policy.name)) report('name_duplicate', `another policy is named \`${policy.name}\``);
    names.add(policy.name);
    if (MALFORMED.test(policy.name) || MALFORMED.test(policy.description)) {
      report('text_malformed', 'name or description holds a character that cannot be stored');
    } else if (policy.name !== '' && !isName(policy.name)) {
      report(
        'name_invalid',
        `a name has 1 to ${NAME_CHARACTERS_MAX} characters, without control characters or space at the ends`,
      );
    }
    if (Buffer.byteLength(policy.description) > TEXT_BYTES_MAX) {
      report('description_oversized', `the description has more than ${TEXT_BYTES_MAX} bytes`);
    }
    const engineError = Object.hasOwn(ENGINE_ERRORS, policy.engine)
      ? ENGINE_ERRORS[policy.engine]
      : undefined;
    if (engineError === undefined) report('engine_unknown', `\`${policy.engine}\` is not an engine`);
    else if (engineError !== null) report(engineError.code, engineError.message);
    if (policy.statements.length === 0) report('statements_missing', 'the policy has no statements');
    const statements = policy.statements.map(({ rules }, statement) => {
      const entries = Object.entries(rules);
      if (entries.length === 0) report('rules_missing', 'the statement has no rules', statement);
      return entries.flatMap(([key, pattern]) => {
        const finding = (code: ErrorCode, message: string) => report(code, message, statement, key);
        return (
          checkRule(
            engineError === null ? (policy.engine as Engine) : null,
            key,
            pattern,
            regexes,
            size,
            finding,
          ) ?? []
        );
      });
    });
    if (errors.length > before) return;
    readable.push({ index, policy, statements });
    if (policy.engine === 'regex') warnings.push(...findUnanchored(policy, index));
    warnings.push(...findTypos({ index, policy, statements }));
  });
  warnings.push(...findUniversal(readable), ...findShadowedAllows(readable));
  return { errors, warnings: warnings.sort((a, b) => a.policyIndex - b.policyIndex) };
}

/** Reports the problems of one rule; returns the compiled rule when there are none. */
function checkRule(
  engine: Engine | null,
  key: string,
  pattern: string,
  regexes: DomainRegexes,
  size: RegexSize,
  report: (code: ErrorCode, message: string) => void,
): Rule | null {
  const bytes = Buffer.byteLength(pattern);
  if (key === '') report('key_missing', 'a rule has no key');
  if (MALFORMED.test(key) || MALFORMED.test(pattern)) {
    report('text_malformed', 'the rule holds a character that cannot be stored');
    return null;
  }
  if (bytes > PATTERN_BYTES_MAX) {
    report('pattern_oversized', `the pattern has ${bytes} bytes, more than ${PATTERN_BYTES_MAX}`);
    return null;
  }
  if (engine === null) return null;
  try {
    const rule = compileRule(engine, key, pattern, { regexes });
    const error =
      engine === 'regex' ? (findWorstCompileError(pattern) ?? findExcess(rule, pattern, size)) : null;
    if (error !== null) report('pattern_invalid', error);
    else if (key === 'object' && judgeObjectRule(rule, pattern) === 'other_spelling')
      report('object_spelling', otherSpelling(engine, pattern));
    else return rule;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    report(error.code, error.message);
  }
  return null;
}

/** The different regexes of a domain that are read so far, and their positions together. */
interface RegexSize {
  readonly patterns: Set<string>;
  positions: number;
}

/** Why the regexes of the domain are too large together with this one; null also once they were. */
function findExcess({ matcher }: Rule, pattern: string, size: RegexSize): string | null {
  if ((matcher.kind !== 'regex' && matcher.kind !== 'expanded') || size.patterns.has(pattern)) return null;
  if (size.positions > DOMAIN_POSITIONS_MAX) return null;
  size.patterns.add(pattern);
  size.positions += matcher.kind === 'regex' ? matcher.slot.positions : matcher.positions;
  return size.positions <= DOMAIN_POSITIONS_MAX
    ? null
    : `with it, the domain's regexes have ${size.positions} positions with all repetitions written out, more than ${DOMAIN_POSITIONS_MAX}; shorten the repetitions, such as \`{1,63}\` to \`+\``;
}

function otherSpelling(engine: Engine, pattern: string): string {
  const canonical = canonicalObject(pattern);
  // A prefix that ends with a segment would match every longer name as well.
  const end = engine === 'prefix' && pattern.endsWith('/') && canonical?.endsWith('/') === false ? '/' : '';
  const unfit = whatNoObjectHolds(pattern);
  const remedy =
    canonical !== null
      ? `write \`${canonical}${end}\``
      : unfit === null
        ? 'segments are not empty, `.` or `..`'
        : `it ${unfit}`;
  return `\`${pattern}\` is no spelling of an object, so that no check matches it; ${remedy}`;
}

/** Compiles the pattern with each macro standing for as much text as it ever may. */
function findWorstCompileError(pattern: string): string | null {
  const worst = 'x'.repeat(MACRO_BYTES_MAX);
  return findCompileError(expand(readTemplate(pattern).parts, { user: worst, owner: worst }, escapeForRegex));
}

function findUnanchored(policy: UncheckedPolicy, policyIndex: number): PolicyFinding[] {
  return policy.statements.flatMap(({ rules }, statement) =>
    Object.entries(rules).flatMap(([key, pattern]): PolicyFinding[] => {
      const { start, end } = anchorsOf(pattern);
      if (start && end) return [];
      const what = start
        ? 'matches longer values that begin so, too; end it with `$` unless that is meant'
        : end
          ? 'matches longer values that end so, too; begin it with `^` unless that is meant'
          : 'may match a part of the value; begin each alternative with `^` and end it with `$`';
      const message = `\`${pattern}\` ${what}`;
      return [{ policy: policy.name, policyIndex, statement, key, code: 'regex_unanchored', message }];
    }),
  );
}

/** Flags at the start of a REGEX that leave `^` and `$` the ends of the value. */
const FLAGS = /^\(\?[isuU]+\)/;

/** At which ends of the value the REGEX is seen to be tied. */
function anchorsOf(pattern: string): { readonly start: boolean; readonly end: boolean } {
  const text = expand(readTemplate(pattern).parts, { user: 'x', owner: 'x' }, (literal) => literal);
  return readRegexShape(text.replace(FLAGS, ''))?.anchored ?? { start: false, end: false };
}

/** What is taken as it is written, and was probably meant otherwise: one finding a rule and kind. */
function findTypos({ index, policy, statements }: Readable): PolicyFinding[] {
  return statements.flatMap((rules, statement) =>
    rules.flatMap((rule) => {
      const pattern = (policy.statements[statement] as PolicyStatement).rules[rule.key] as string;
      return TYPOS.flatMap(([code, find]): PolicyFinding[] => {
        const message = find(rule, pattern, policy);
        if (message === null) return [];
        return [{ policy: policy.name, policyIndex: index, statement, key: rule.key, code, message }];
      });
    }),
  );
}

type FindTypo = (rule: Rule, pattern: string, policy: UncheckedPolicy) => string | null;

const TYPOS: readonly (readonly [WarningCode, FindTypo])[] = [
  [
    'macro_misspelled',
    (_rule, pattern) => {
      const [found, name] = /\$(current_user|resource_owner)(?!\(\)|\w)/i.exec(pattern) ?? [];
      return found === undefined
        ? null
        : `\`${found}\` is literal text; the macro is \`$${name?.toLowerCase()}()\``;
    },
  ],
  [
    'macro_open',
    (rule, pattern, { engine }) => {
      if (!rule.usesUser && !rule.usesOwner) return null;
      const { start, end } = anchorsOf(pattern);
      const isOpen = engine === 'regex' ? !(start && end) : engine === 'prefix' && pattern.endsWith('()');
      const message =
        "longer values that begin with or hold the macro's value match, too; use FIXED, or tie the end";
      return isOpen ? message : null;
    },
  ],
  [
    'wildcard_literal',
    (_rule, pattern, { engine }) =>
      (engine === 'fixed' || engine === 'prefix') && pattern.includes('*')
        ? `\`*\` is literal text under ${engine.toUpperCase()}; GLOB reads it as a wildcard`
        : null,
  ],
  [
    'backslash_literal',
    (_rule, pattern, { engine }) =>
      engine === 'glob' && pattern.includes('\\')
        ? 'a backslash is literal text under GLOB; `[*]` is the character `*`'
        : null,
  ],
  [
    'braces_literal',
    (_rule, pattern, { engine }) =>
      engine === 'glob' && /\{[^{}]*,[^{}]*\}/.test(pattern)
        ? 'braces are literal text under GLOB; write a statement for each alternative'
        : null,
  ],
  [
    'subject_spelling',
    ({ key }, pattern) => {
      const spelled = key === 'subject' ? respelledUuid(pattern) : null;
      return spelled !== null
        ? `ids of accounts are in lower case, so that no check of an account matches it; write \`${spelled}\``
        : null;
    },
  ],
  [
    'object_unmatchable',
    (rule, pattern) =>
      rule.key === 'object' && judgeObjectRule(rule, pattern) === 'no_object'
        ? `no object is like \`${pattern}\`: objects are \`svc://<domain uuid>/<path>\``
        : null,
  ],
  [
    'denies_absent_key',
    ({ key }, _pattern, { deny, invert }) =>
      deny && invert && !ALWAYS_PRESENT.has(key) ? `it denies every request without \`${key}\`` : null,
  ],
];

/** Policies that allow or deny every request. */
function findUniversal(readable: readonly Readable[]): PolicyFinding[] {
  return readable.flatMap((one) => {
    const { deny, invert } = one.policy;
    if (invert) return [];
    const statement = one.statements.findIndex((rules) =>
      rules.every((rule) => matchesEverything(rule) || (!deny && matchesNearlyEverything(rule))),
    );
    if (statement < 0) return [];
    return [
      deny
        ? warning(one, 'denies_all', 'it denies every request', statement)
        : warning(one, 'allows_all', 'it allows every request', statement),
    ];
  });
}

/** Whether the rule holds for all values that a request usually has. */
function matchesNearlyEverything({ key, matcher }: Rule): boolean {
  if (!ALWAYS_PRESENT.has(key)) return false;
  if (matcher.kind === 'line') return matcher.text === '';
  if (key === 'object') {
    return matcher.kind === 'prefix' && 'svc://'.startsWith(matcher.text);
  }
  return (
    matcher.kind === 'glob' && matcher.glob.tokens.length === 1 && matcher.glob.tokens[0]?.kind === 'star'
  );
}

function findShadowedAllows(readable: readonly Readable[]): PolicyFinding[] {
  const plain = readable.filter(({ policy }) => !policy.invert);
  const denies = plain.filter(({ policy }) => policy.deny);
  const allows = plain.filter(({ policy }) => !policy.deny);
  const deniedBy = denies.reduce((sum, { statements }) => sum + statements.length, 0);
  let left = COMPARISONS_MAX;
  const isOverridden = (allow: Readable, statement: number) =>
    denies.some((deny) =>
      deny.statements.some((rules, other) => implies(allow, statement, deny, other, rules)),
    );
  return allows
    .filter(({ statements }) => (left -= statements.length * deniedBy) >= 0)
    .filter((allow) => allow.statements.every((_, statement) => isOverridden(allow, statement)))
    .map((allow) => warning(allow, 'allow_shadowed', 'a deny policy matches whenever it does', null));
}

function warning(
  { index, policy }: Readable,
  code: WarningCode,
  message: string,
  statement: number | null,
): PolicyFinding {
  return { policy: policy.name, policyIndex: index, statement, key: null, code, message };
}

/** Whether the rule holds in every request, whatever its values. */
function matchesEverything({ key, matcher }: Rule): boolean {
  if (!ALWAYS_PRESENT.has(key)) return false;
  switch (matcher.kind) {
    case 'prefix':
    case 'suffix':
    case 'contains':
      return matcher.text === '';
    case 'glob':
      return matcher.glob.tokens.length === 1 && matcher.glob.tokens[0]?.kind === 'globstar';
    case 'template':
      return (
        key === 'subject' &&
        matcher.parts.length === 1 &&
        typeof matcher.parts[0] === 'object' &&
        matcher.parts[0].macro === 'current_user'
      );
    default:
      return false;
  }
}

/** Whether the deny statement certainly matches when the allow's statement does. */
function implies(allow: Readable, a: number, deny: Readable, d: number, denyRules: readonly Rule[]): boolean {
  const given = (allow.policy.statements[a] as PolicyStatement).rules;
  const wanted = (deny.policy.statements[d] as PolicyStatement).rules;
  return denyRules.every((rule) => {
    if (matchesEverything(rule)) return true;
    if (!Object.hasOwn(given, rule.key)) return false;
    const pattern = given[rule.key] as string;
    if (allow.policy.engine === deny.policy.engine && pattern === wanted[rule.key]) return true;
    if (rule.usesUser || rule.usesOwner) return false;
    const allowed = allow.statements[a]?.find(({ key }) => key === rule.key)?.matcher;
    if (allowed?.kind === 'exact') {
      const context = new Map([[rule.key, allowed.text]]);
      return (
        rule.matcher.kind !== 'regex' &&
        testRule(rule, startCheck(context, { user: undefined, owner: undefined }))
      );
    }
    // Whatever begins with the longer text begins with the shorter.
    return (
      allowed?.kind === 'prefix' &&
      rule.matcher.kind === 'prefix' &&
      allowed.text.startsWith(rule.matcher.text)
    );
  });
}
