import { fold } from './unknown-word.ts';

/** Names that people and programs give fields and arguments, folded, by the name that is known here. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  actor_id: ['actor', 'source', 'sourceid', 'author', 'authorid', 'speaker'],
  actors: ['sources'],
  argument_a: ['claima', 'claimida'],
  argument_b: ['claimb', 'claimidb'],
  subject_id: ['subject', 'topic', 'about'],
  predicate: ['property', 'attribute'],
  value: ['answer', 'outcome', 'object'],
  content: ['text', 'statement', 'claim', 'description'],
  assertion_time: ['date', 'time', 'saidat', 'assertedat', 'publishedat', 'timestamp'],
  url: ['link', 'href'],
  claim_id: ['claim', 'claimid'],
  source_type: ['type', 'kind'],
  subject_type: ['type', 'kind'],
  base_reliability: ['reliability'],
  research_question: ['question', 'title'],
  document: ['documentid', 'file', 'fileid'],
  exact: ['quote', 'words', 'passage'],
  webhook_url: ['url', 'callback', 'callbackurl', 'endpoint'],
  chance_step: ['step', 'threshold'],
  name_filter: ['query', 'search', 'filter', 'name', 'q'],
};

/**
 * The one of `known` names that another name stands for: another spelling of it, with or without `_id`, the
 * one or the many of it, or a usual other word; undefined for none. Pure.
 */
export function nameMeantBy(name: string, known: readonly string[]): string | undefined {
  const own = fold(name);
  const one = (text: string) => text.replace(/s$/, '');
  return (
    known.find((field) => fold(field) === own || fold(field) === `${own}id`) ??
    known.find((field) => one(fold(field)) === one(own) || fold(field) === `${one(own)}ids`) ??
    known.find((field) => one(fold(field).replace(/ids$/, '')) === one(own.replace(/ids$/, ''))) ??
    known.find((field) => OTHER_NAMES[field]?.includes(own))
  );
}
