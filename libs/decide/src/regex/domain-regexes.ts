import { expand, type TemplatePart } from '../macros.ts';
import { loadRegexCrate, type CrateSource } from './regex-crate.ts';
import type { DomainRegexes, RegexEngine, RegexMatcher } from '../regexes.ts';
import { nameOfAtom } from './regex-members.ts';
import {
  boundPositions,
  boundUnicodePositions,
  OWNER_PLACEHOLDER,
  readRegexShape,
  USER_PLACEHOLDER,
  wholeTail,
  type RegexShape,
} from './regex-shape.ts';
import {
  escapeForRegex,
  ExpandedRegexes,
  findParseError,
  PATTERN_POSITIONS_MAX,
  RegexBank,
  RegexMemory,
} from './regex.ts';

/** Expansions of REGEX macros kept per domain, about as many subjects as check it at the same time. */
const EXPANSIONS_MAX = 64;

/** Bytes of compiled regexes, over all policy sets of the process. */
const REGEX_BYTES_MAX = 96 * 1_024 * 1_024;

/**
 * Positions of Unicode classes in all patterns of a domain that no form can be made of. They are compiled as
 * they are written, a millisecond for each class and repetition of it, which counts 20.
 */
const WHOLE_POSITIONS_MAX = 1_000;
/** Different classes in the regexes of a domain; for each, a check finds out which characters are in it. */
const CLASSES_MAX = 300;

/**
 * Loads what runs regexes from `rregex.wasm` of the package `rregex`, for `openDecider` and `compileBundle`
 * in a browser or on an edge: its bytes, the response that carries them, or a `WebAssembly.Module` of it.
 * Throws for a response without it, and for other bytes.
 */
export async function loadRegexes(wasm: CrateSource | Promise<CrateSource>): Promise<RegexEngine> {
  await loadRegexCrate(await wasm);
  return openRegexes();
}

/** Loads what runs regexes, as `loadRegexes` does, from the package's own file, in Node. */
export function openRegexes(): RegexEngine {
  return regexEngine(new RegexMemory(REGEX_BYTES_MAX));
}

/** Regexes of policy sets, all within one memory. */
export function regexEngine(memory: RegexMemory): RegexEngine {
  return { openDomain: () => openDomain(memory) };
}

function openDomain(memory: RegexMemory): DomainRegexes {
  const banks = new Map<string, RegexBank>();
  const expanded = new ExpandedRegexes(EXPANSIONS_MAX, memory);
  const classes = new Set<string>();
  const whole = new Map<string, number>();
  const count = ({ tail }: RegexShape, refuse: (reason: string) => Error) => {
    for (const part of tail.form?.parts ?? []) if (typeof part !== 'string') classes.add(nameOfAtom(part));
    if (classes.size > CLASSES_MAX)
      throw refuse(
        `with it, the domain's regexes have more than ${CLASSES_MAX} different character classes; write equal ones alike, or use fewer`,
      );
    if (tail.form === null) whole.set(tail.pattern, boundUnicodePositions(tail.pattern));
    const wholePositions = [...whole.values()].reduce((sum, each) => sum + each, 0);
    if (wholePositions > WHOLE_POSITIONS_MAX)
      throw refuse(
        `the domain's regexes with \`(?x)\` or \`(?-u)\` have ${wholePositions} positions of Unicode classes with all repetitions written out, more than ${WHOLE_POSITIONS_MAX}; write it without these flags`,
      );
  };
  const bankOf = (key: string) => {
    let bank = banks.get(key);
    if (bank === undefined) banks.set(key, (bank = new RegexBank(memory)));
    return bank;
  };
  return {
    read({ key, pattern, parts }, refuse): RegexMatcher {
      const hasMacro = parts.some((part) => typeof part !== 'string');
      const shape = checkRegex(pattern, writePlaceholders(parts), parts, hasMacro, refuse);
      if (shape.literal) {
        const { kind, text } = shape.literal;
        return hasMacro ? { kind: 'template', literal: kind, parts: readPlaceholders(text) } : { kind, text };
      }
      count(shape, refuse);
      if (hasMacro) return { kind: 'expanded', parts, positions: shape.positions, cache: expanded };
      return { kind: 'regex', slot: bankOf(key).add(pattern, shape) };
    },
    *build() {
      for (const bank of banks.values()) {
        bank.build();
        yield;
      }
    },
    *warm() {
      for (const bank of banks.values()) yield* bank.warm();
    },
    free() {
      for (const bank of banks.values()) bank.free();
      expanded.free();
    },
  };
}

/** The pattern's shape with placeholders for its macros. Throws what `refuse` makes of a reason. */
function checkRegex(
  pattern: string,
  marked: string,
  parts: readonly TemplatePart[],
  hasMacro: boolean,
  refuse: (reason: string) => Error,
): RegexShape {
  const shape = readRegexShape(marked);
  const sample = hasMacro ? expand(parts, { user: 'x', owner: 'x' }, escapeForRegex) : pattern;
  if (hasMacro && (shape === null || shape.placeholderInClass)) {
    throw refuse('a macro cannot stand in a character class or in verbose mode');
  }
  const positions = shape?.positions ?? boundPositions(pattern);
  if (positions > PATTERN_POSITIONS_MAX) {
    throw refuse(
      `with its repetitions written out it has ${positions} positions, more than ${PATTERN_POSITIONS_MAX}`,
    );
  }
  const error = findParseError(sample, hasMacro ? readRegexShape(sample) : shape);
  if (error !== null) throw refuse(error);
  const unknown = {
    literal: null,
    prefix: '',
    anchored: { start: false, end: false },
    placeholderInClass: false,
  };
  return shape ?? { ...unknown, positions, tail: wholeTail(pattern) };
}

function writePlaceholders(parts: readonly TemplatePart[]): string {
  return expand(parts, { user: USER_PLACEHOLDER, owner: OWNER_PLACEHOLDER }, (text) => text);
}

function readPlaceholders(text: string): TemplatePart[] {
  return text
    .split(/([\u{fdd0}\u{fdd1}])/u)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece === USER_PLACEHOLDER
        ? { macro: 'current_user' as const }
        : piece === OWNER_PLACEHOLDER
          ? { macro: 'resource_owner' as const }
          : piece,
    );
}
