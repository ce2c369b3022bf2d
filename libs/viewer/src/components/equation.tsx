import type { ComponentChildren } from 'preact';

/** A quantity of an equation and its name. */
export interface Term {
  readonly name: string;
  readonly value: ComponentChildren;
}

interface Props {
  readonly terms: readonly Term[];
  /** The sign between the terms. */
  readonly operator: '×' | '+';
  readonly result: Term;
}

/**
 * A line of arithmetic that a reader can do again:
 * `0.65 base reliability × 0.90 competence = 0.59 effective`. Few elements, for a page holds four of them for
 * each claim.
 */
export function Equation({ terms, operator, result }: Props) {
  return (
    <p class="equation">
      {terms.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && `${operator} `}
          {value} <i>{name}</i>{' '}
        </span>
      ))}
      <span>
        = <b>{result.value}</b> <i>{result.name}</i>
      </span>
    </p>
  );
}
