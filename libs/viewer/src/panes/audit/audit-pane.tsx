import { useContext } from 'preact/hooks';
import { PartContext } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { AuditedClaims } from './audited-claims.tsx';
import { Computation } from './computation.tsx';
import { MethodChallenges } from './method-challenges.tsx';
import { Quotes } from './quotes.tsx';
import { Sources } from './sources.tsx';
import { Warnings } from './warnings.tsx';

/** What was computed, when, from what, and every claim's numbers traced back to the input. */
export function AuditPane({ model }: PaneProps) {
  const isFirst = (useContext(PartContext)?.page ?? 1) === 1;
  return (
    <div class="audit">
      {isFirst && (
        <>
          <Computation model={model} />
          <Warnings model={model} />
          <Quotes model={model} />
          <MethodChallenges model={model} />
          <Sources model={model} />
        </>
      )}
      <AuditedClaims model={model} />
    </div>
  );
}
