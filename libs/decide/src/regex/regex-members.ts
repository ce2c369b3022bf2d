import { PAUSED, type RegexMemo } from '../regex-memo.ts';
import type { RegexCrate } from './regex-crate.ts';
import { OUTSIDE, type RegexAtom, type RegexTemplate } from './regex-shape.ts';

/** Facts kept, each whether an atom matches a character; all are forgotten when there are more. */
const FACTS_MAX = 300_000;

/**
 * Facts that one value may need of one set, known ones included, so that a value that is too much once always
 * is. Finding one out takes some microseconds.
 */
const FACTS_OF_VALUE_MAX = 60_000;
/** Facts found out at a time: some milliseconds. */
const FACTS_AT_ONCE = 500;

/** What word boundaries ask of a character. */
const WORD: RegexAtom = { text: '\\w', ignoresCase: false };

/**
 * Stand-ins, none of which has a case: control characters first, with which a form stays within ASCII, and is
 * compiled in a twentieth of the memory. Words need others only where boundaries look for them.
 */
const STAND_INS = {
  word: [
    [0x620, 0x640],
    [0x4e00, 0x5000],
  ],
  other: [
    [0x0e, 0x20],
    [0x80, 0xa0],
    [0x2200, 0x2300],
  ],
} as const;
/**
 * Kinds of characters kept from one value to the next: the letters of an alphabet that patterns have under
 * `(?i)`, each a kind of its own, and others. The stand-ins of the first 18 keep a set within ASCII; each
 * further one makes its automata somewhat larger, which compiling it for every other value would not repay.
 */
const KINDS_KEPT_MAX = 100;
/** Characters of common kinds, for which a set is compiled along with the first value beyond ASCII. */
const COMMON = [...'éÉжЖδ漢ひアー한אعक\u0301٣²–’“…€\u00a0\u3000😀'];

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Facts about one atom, in which flags are in force. */
interface Facts {
  /** The ASCII characters that it matches; null until it was asked. */
  ascii: string | null;
  readonly beyond: Map<string, boolean>;
}

const facts = new Map<string, Facts>();
let factCount = 0;

function listAtoms({ parts }: RegexTemplate): RegexAtom[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : part));
}

/** Names the atom with the flags in force. */
export function nameOfAtom({ text, ignoresCase }: RegexAtom): string {
  return ignoresCase ? `(?i:${text})` : text;
}

function factsOf(atom: RegexAtom): Facts {
  const name = nameOfAtom(atom);
  let known = facts.get(name);
  if (known === undefined) facts.set(name, (known = { ascii: null, beyond: new Map() }));
  return known;
}

function forgetWhenFull(): void {
  if (factCount <= FACTS_MAX) return;
  facts.clear();
  factCount = 0;
}

/** The atoms, each cut down to the characters of the class: what compiles is small, and means the same. */
function compileCut(crate: RegexCrate, atoms: readonly RegexAtom[], chars: string) {
  return new crate.RRegexSet(
    atoms.map(({ text, ignoresCase }) => `${ignoresCase ? '(?i)' : ''}^[${text}&&[${chars}]]$`),
  );
}

function learnAscii(atoms: readonly RegexAtom[], crate: RegexCrate): void {
  const set = compileCut(crate, atoms, '\\x00-\\x7F');
  const found = atoms.map(() => '');
  for (const char of ASCII) for (const index of set.matches(char)) found[index] += char;
  for (const [index, atom] of atoms.entries()) factsOf(atom).ascii = found[index] as string;
  factCount += ASCII.length * atoms.length;
}

function learnBeyond(atoms: readonly RegexAtom[], chars: readonly string[], crate: RegexCrate): void {
  const set = compileCut(crate, atoms, chars.join(''));
  for (const char of chars) {
    const found = new Set(set.matches(char));
    for (const [index, atom] of atoms.entries()) factsOf(atom).beyond.set(char, found.has(index));
  }
  factCount += chars.length * atoms.length;
}

/** ASCII characters, ascending, as ranges of a class. */
function writeRanges(chars: string): string {
  const hex = (code: number) => `\\x${code.toString(16).padStart(2, '0')}`;
  let ranges = '';
  for (let from = 0; from < chars.length;) {
    let to = from;
    const first = chars.charCodeAt(from);
    while (to < chars.length && chars.charCodeAt(to) - first === to - from) to += 1;
    ranges += to - from === 1 ? hex(first) : `${hex(first)}-${hex(first + to - from - 1)}`;
    from = to;
  }
  return ranges;
}

/**
 * What stands for the characters beyond ASCII of values: one character for all those that the atoms of a set
 * do not tell apart. Their kinds are few, whatever alphabet a value is in. What an atom matches is found out
 * by the crate: it compiles the atom cut down to the characters that nothing is known of, 0.1 ms.
 */
export class StandIns {
  private readonly atoms: readonly RegexAtom[];
  private readonly literals: ReadonlySet<string>;
  /** Characters that values are likely to have: common ones, and letters that the atoms name. */
  private readonly expected: readonly string[];
  private readonly seesWords: boolean;
  private readonly openCrate: () => RegexCrate;
  /** Stand-ins by kind: for each atom, the first being {@link WORD} if it matters, whether it matches. */
  private kinds = new Map<string, string>();

  /** Learns in what `openCrate` returns. */
  constructor(forms: readonly RegexTemplate[], openCrate: () => RegexCrate) {
    this.seesWords = forms.some(({ seesWords }) => seesWords);
    const all = [...(this.seesWords ? [WORD] : []), ...forms.flatMap(listAtoms)];
    this.atoms = [...new Map(all.map((atom) => [nameOfAtom(atom), atom])).values()];
    this.literals = new Set(forms.flatMap(({ literals }) => literals));
    const named = this.atoms.flatMap(({ text }) => text.match(OUTSIDE) ?? []);
    const expectedMax = Math.floor(FACTS_OF_VALUE_MAX / 2 / Math.max(1, this.atoms.length));
    this.expected = [...new Set([...COMMON, ...named])].slice(0, expectedMax);
    this.openCrate = openCrate;
  }

  /** The items of the class that each atom is among ASCII characters. */
  asciiOf(): (atom: RegexAtom) => string {
    forgetWhenFull();
    const unknown = this.atoms.filter((atom) => factsOf(atom).ascii === null);
    if (unknown.length > 0) learnAscii(unknown, this.openCrate());
    return (atom) => writeRanges(factsOf(atom).ascii as string);
  }

  /** The items of the class that each atom is among ASCII characters and stand-ins. */
  membersOf(): (atom: RegexAtom) => string {
    this.asciiOf();
    const members = new Map(
      this.atoms.map((atom, index) => [
        nameOfAtom(atom),
        [...this.kinds].flatMap(([kind, char]) => (kind[index] === '1' ? char : [])).join(''),
      ]),
    );
    return (atom) =>
      writeRanges((factsOf(atom).ascii as string).replace(OUTSIDE, '')) + members.get(nameOfAtom(atom));
  }

  /**
   * The value with stand-ins, and whether it holds a kind that no value before it had, so that the set must
   * be compiled for it. Characters that the patterns have as text stand for themselves. Throws `PAUSED` where
   * the memo is tired, and for a value of too many different characters.
   */
  replace(value: string, memo: RegexMemo): { readonly text: string; readonly isNew: boolean } {
    // The crate is given U+FFFD in the place of half a surrogate pair.
    const whole = value.replace(/\p{Surrogate}/gu, '\ufffd');
    const chars = [...new Set(whole.match(OUTSIDE))];
    if (chars.length * this.atoms.length > FACTS_OF_VALUE_MAX)
      throw new Error('the value has too many different characters beyond ASCII');
    const kindOf = this.kindsOf(chars, memo);
    const kinds = new Set(kindOf.values());
    const isNew = [...kinds].some((kind) => !this.kinds.has(kind));
    if (isNew) this.assign(kinds, new Set(this.kindsOf([...chars, ...this.expected], memo).values()));
    const standIns = new Map([...kindOf].map(([char, kind]) => [char, this.kinds.get(kind) as string]));
    return { text: whole.replace(OUTSIDE, (char) => standIns.get(char) as string), isNew };
  }

  private kindsOf(chars: readonly string[], memo: RegexMemo): Map<string, string> {
    forgetWhenFull();
    const known = this.atoms.map((atom) => factsOf(atom).beyond);
    const isUnknown = (char: string) => known.some((beyond) => !beyond.has(char));
    const unknown = [...new Set(chars)].filter(isUnknown);
    const count = Math.max(1, Math.floor(FACTS_AT_ONCE / Math.max(1, this.atoms.length)));
    for (let from = 0; from < unknown.length; from += count) {
      if (from > 0 && memo.isTired?.() === true) throw PAUSED;
      const some = unknown.slice(from, from + count);
      const asked = this.atoms.filter((_, index) => some.some((char) => known[index]?.has(char) !== true));
      learnBeyond(asked, some, this.openCrate());
    }
    return new Map(
      chars.map((char) => {
        const bits = known.map((beyond) => (beyond.get(char) === true ? '1' : '0')).join('');
        return [char, this.literals.has(char) ? bits + char : bits];
      }),
    );
  }

  private assign(ofValue: ReadonlySet<string>, withCommon: ReadonlySet<string>): void {
    const fits = [
      new Set([...this.kinds.keys(), ...withCommon]),
      new Set([...this.kinds.keys(), ...ofValue]),
    ].find(({ size }) => size <= KINDS_KEPT_MAX);
    const other = this.listFree('other');
    const word = this.seesWords ? this.listFree('word') : other;
    const kinds = new Map<string, string>();
    for (const kind of fits ?? ofValue) {
      const literal = kind.slice(this.atoms.length);
      const char = literal === '' ? (kind[0] === '1' ? word : other).next().value : literal;
      if (char === undefined) throw new Error('the value has too many kinds of characters beyond ASCII');
      kinds.set(kind, char);
    }
    this.kinds = kinds;
  }

  private *listFree(kind: keyof typeof STAND_INS): Generator<string, undefined> {
    for (const [from, to] of STAND_INS[kind]) {
      for (let code = from; code < to; code += 1) {
        const char = String.fromCharCode(code);
        if (!this.literals.has(char)) yield char;
      }
    }
    return undefined;
  }
}
