import type { ComponentChildren } from 'preact';

/** A quantity of an equation: its figure with its name beneath. */
export interface Term {
  readonly name: string;
  readonly value: ComponentChildren;
}

interface Props {
  readonly terms: readonly Term[];
  /** What stands between the terms. */
  readonly operator: '×' | '+';
  readonly result: Term;
}

/** A line of arithmetic that a reader can do again: `0.65 base reliability × 0.90 competence = 0.59 effective`. */
export function Equation({ terms, operator, result }: Props) {
  return (
    <p class="equation">
      {terms.map((term, index) => (
        <Step key={term.name} sign={index > 0 ? operator : null} {...term} />
      ))}
      <Step sign="=" {...result} />
    </p>
  );
}

/** A quantity with the sign before it, never parted at the end of a line. */
function Step({ sign, name, value }: Term & { readonly sign: string | null }) {
  return (
    <span class={sign === '=' ? 'step step-result' : 'step'}>
      {sign && <span class="operator">{sign} </span>}
      <span class="term">
        <span class="term-value">{value}</span> <span class="term-name">{name}</span>
      </span>{' '}
    </span>
  );
}
