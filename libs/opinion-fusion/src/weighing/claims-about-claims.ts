import { isIdentified, metaEvidence, refutation, setOpinion } from './claim-weighing.ts';
import type { Weighing } from './claim-weighing.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import type { MaxByGroup } from './max-by-group.ts';
import type { Claim } from '../model/model.ts';

/**
 * κ of every claim, and the opinion of meta-claims, from what is said about each directly. Meta-claims come
 * before their targets. Counts that need no other claim are made here too.
 */
export function weighDirect(
  claims: readonly Claim[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): void {
  const waitingFor = new Int32Array(weighings.length);
  const ready: Claim[] = [];
  for (const claim of claims) {
    waitingFor[claim.index] = claim.metas.length;
    if (claim.metas.length === 0) ready.push(claim);
  }
  for (let claim = ready.pop(); claim; claim = ready.pop()) {
    weighOneDirect(claim, weighings, classes, strongest);
    if (claim.target && (waitingFor[claim.target.index]! -= 1) === 0) ready.push(claim.target);
  }
}

function weighOneDirect(
  claim: Claim,
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): void {
  const own = weighings[claim.index]!;
  if (own.silent) return;
  own.supporting = 1;
  if (claim.subject !== null && claim.evidence.length === 0 && claim.metas.length === 0) {
    own.kappa = own.voice > 0 ? 1 : 0;
    return;
  }
  let against = 0;
  for (const item of claim.evidence) {
    if (item.valence === 'Supports') own.supporting += 1;
    else if (item.valence === 'Neutral') own.neutral += 1;
    else {
      own.refuting += 1;
      against += refutation(own, item);
    }
  }
  let support = own.voice;
  let [crowdSupport, crowdAgainst] = [support, against];
  if (claim.metas.length > 0) {
    strongest.start();
    strongest.add(classes.of(claim.actor), own.voice, isIdentified(claim));
    addMetas(claim, 'Supports', weighings, classes, strongest);
    support = strongest.sum();
    crowdSupport = strongest.crowdSum();
    strongest.start();
    addMetas(claim, 'Refutes', weighings, classes, strongest);
    crowdAgainst = against + strongest.crowdSum();
    against += strongest.sum();
    for (const meta of claim.metas) {
      if (weighings[meta.index]!.silent) continue;
      if (meta.valence === 'Supports') own.supporting += 1;
      else if (meta.valence === 'Refutes') own.refuting += 1;
      else own.neutral += 1;
    }
  }
  own.kappa = support > 0 ? support / (support + against) : 0;
  if (claim.subject === null) setOpinion(own, crowdSupport, crowdAgainst);
}

/** Adds what the meta-claims on a claim bring for or against it. */
export function addMetas(
  claim: Claim,
  valence: 'Supports' | 'Refutes',
  weighings: readonly Weighing[],
  classes: Pick<DependenceClasses, 'of'>,
  strongest: MaxByGroup,
): void {
  for (const meta of claim.metas) {
    if (meta.valence !== valence) continue;
    strongest.add(classes.of(meta.actor), metaEvidence(weighings[meta.index]!), isIdentified(meta));
  }
}
