import { likelihoodWord, opened, textOf } from '@platform/opinion-fusion';
import { chanceOf, placeText } from '../format/words.ts';
import { createModel } from '../model.ts';
import { distinctionCards, type Side } from '../panes/distinctions/distinction-cards.ts';
import { saysYesOrNo } from '../components/claim-statement.tsx';
import { THAT } from '../panes/overview/headline.ts';
import { userPart } from '../panes/overview/statement-of.ts';

/** What a question depends on by one distinction. */
export interface ConditionText {
  readonly subjectId: string;
  readonly predicate: string;
  /** `By season: if in winter, it is unlikely that …; if in summer, it is likely that ….` */
  readonly text: string;
}

/**
 * The distinctions that a judgement draws a conclusion from, with the likelihood of what each side is about,
 * which stands by itself where nothing says before what “it” is; none for a summary. Pure.
 */
export function conditionTexts(judged: Parameters<typeof createModel>[0]): ConditionText[] {
  const model = createModel(judged);
  return distinctionCards(model).flatMap(({ distinction, a, b }): ConditionText[] => {
    if (!a.claim?.subject || a.conclusion === null || b.conclusion === null) return [];
    const { subject, predicate } = a.claim;
    const pattern = model.presentation.patterns?.[predicate];
    const [first, second] = [a, b].map((side) => underCondition(side, { subject: subject.name, pattern }));
    return [{ subjectId: subject.id, predicate, text: `By ${distinction.feature}: ${first}; ${second}.` }];
  });
}

function underCondition(
  { claim, condition, conclusion }: Side,
  about: { readonly subject: string; readonly pattern: string | undefined },
): string {
  // The chance of the engine is that of the yes, or of the value, also where the claim denies it.
  const value = saysYesOrNo(claim!) ? 'true' : claim!.input.value;
  const said = { ...about, predicate: claim!.predicate, value };
  const opener = THAT[likelihoodWord(chanceOf(conclusion!))]!;
  const text = textOf([...opened(opener, said), ...userPart(placeText(claim!.input))]);
  return `if ${condition}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
