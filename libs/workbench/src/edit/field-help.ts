/** What to put into a field, in an analyst's words; the API's reference describes it to programmers. */
const HELP: Readonly<Record<string, string>> = {
  id: 'Other items and the API refer to it by this name. The one offered is fine.',
  name: 'The name that readers see.',
  source_type: 'Decides how far the source is trusted at first.',
  base_reliability: 'From 0.01 to 0.99. Left empty, the type of the source decides.',
  reliability_record: 'How often outcomes found the source right, where its reliability comes from that.',
  competence:
    'For properties that the source knows less about: how much of its reliability counts, from 0 to 1.',
  default_competence: 'The same for all other properties, from 0 to 1. Left empty, 1.',
  depends_on: 'Sources that this one repeats. Together they count once.',
  subject_type: 'A word of your own, such as person, event or product.',
  actor_id: 'Who says so.',
  subject_id: 'What it is about. Left empty in a claim about another claim.',
  predicate: 'Such as cause, height or open. The same property has the same name everywhere.',
  value: 'What it is said to be: text, a number ($5M), a date (17 May 2024), or true or false.',
  valence: 'Against means that it is denied. A claim without a choice says that it is so.',
  content: 'As the source puts it, or as you do.',
  target_claim_id: 'Only for a claim about another claim, such as that it is false.',
  claim_type: 'Decides how fast it gets out of date.',
  assertion_time:
    'Such as 2024, 2024-05-01 or 2024-05-01T12:00:00Z. Left empty, it does not get out of date.',
  event_start_time: 'Where it holds for a time only: the first day, such as 1903 or 1903-12-17.',
  event_end_time: 'The first day on which it does not hold any more.',
  scope:
    'Where or for whom it holds, such as Europe. Claims of different scopes do not contradict each other.',
  decay_half_life_days:
    'Days after which a claim counts half. Left empty, the kind of claim and the domain decide.',
  supersedes_claim_id: 'An earlier claim that this one takes the place of.',
  url: 'Where readers find it: an http or https address.',
  archived_url: 'A copy that stays when the page is gone.',
  quote: 'The words themselves, as they stand there.',
  published_by: 'Who published it.',
  claim_id: 'The claim that it speaks for or against.',
  weight: 'How many ordinary items it is worth, from 0 to 100. Left empty, 1.',
  premise_claim_ids: 'The claims that the conclusion rests on.',
  rule_type: 'How the conclusion follows.',
  rule_param:
    'A fortiori: the order. Analogy: the shared feature. Generalization: the example. Default: what usually holds. Custom: the name of the rule.',
  rule_param2: 'What a custom rule says.',
  description: 'In words, for readers.',
  argument_a: 'The claim that is right in the first case.',
  argument_b: 'The claim that is right in the second case.',
  condition_a: 'The case in which the first claim is right.',
  condition_b: 'The case in which the second claim is right.',
  domain: 'Decides how fast claims get out of date.',
  dependent_refresh_factor:
    'How much a confirmation by a source that repeats the first makes a claim fresh again, from 0 to 1. Left empty, 0.5.',
  as_of: 'Judge as on that day, without what was said later. Such as 2024 or 2024-05-01.',
  dependence:
    'Detected looks for copying in what the sources say; declared counts only where you say that one repeats another.',
  reliability: 'Declared trusts sources as you say; estimated learns from how they agree with each other.',
  numeric: 'For numbers, estimate adds the value in the middle, by weight.',
  time: 'Such as 2024, 2024-05-01 or 2024-05-01T12:00:00Z.',
};

/** What to put into a field, for the line below it. */
export function helpOf(name: string, { description }: { readonly description: string }): string {
  return HELP[name] ?? description;
}
