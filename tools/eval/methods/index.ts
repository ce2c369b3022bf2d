import type { Method, Question } from '../data-set.ts';
import { accu } from './accu.ts';
import { bayesianClassifierCombination } from './bcc.ts';
import { catd } from './catd.ts';
import { crh } from './crh.ts';
import { dawidSkene, learningFromCrowds } from './dawid-skene.ts';
import { glad } from './glad.ts';
import { kos } from './kos.ts';
import { mace } from './mace.ts';
import { majorityVote } from './majority-vote.ts';
import { oneCoin } from './one-coin.ts';
import { popAccu } from './pop-accu.ts';
import { truthFinder } from './truth-finder.ts';

/** A known method and the sets it can answer. */
export interface Peer {
  readonly name: string;
  readonly method: Method;
  readonly answers: (question: Question) => boolean;
}

const any = () => true;
const withClasses = ({ classes }: Question) => classes.length > 1;
const yesNo = ({ kind }: Question) => kind === 'binary';

/** The methods the engine is measured against, in the order of the tables. */
export const PEERS: readonly Peer[] = [
  { name: 'majority vote', method: majorityVote, answers: any },
  { name: 'TruthFinder', method: truthFinder, answers: any },
  { name: 'ACCU', method: accu, answers: any },
  { name: 'POPACCU', method: popAccu, answers: any },
  { name: 'CRH', method: crh, answers: any },
  { name: 'CATD', method: catd, answers: any },
  { name: 'one-coin empirical Bayes', method: oneCoin, answers: any },
  { name: 'Dawid–Skene', method: dawidSkene, answers: withClasses },
  { name: 'LFC', method: learningFromCrowds, answers: withClasses },
  { name: 'BCC-VB', method: bayesianClassifierCombination, answers: withClasses },
  { name: 'GLAD', method: glad, answers: withClasses },
  { name: 'MACE', method: mace, answers: withClasses },
  { name: 'KOS', method: kos, answers: yesNo },
];
