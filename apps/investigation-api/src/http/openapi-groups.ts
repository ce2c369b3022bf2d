import type { OperationGroup } from '@platform/service-kit';

const SESSION = '^/api/v1/sessions/\\{session_id\\}';

/** What one wants to do, in the order in which most do it. An operation is of the first group that fits. */
export const GROUPS: readonly OperationGroup[] = [
  {
    name: 'Judge claims in one call',
    description: 'Send sources and what they claim; get verdicts back. Nothing is kept.',
    paths: /^\/api\/v1\/investigations\//,
  },
  {
    name: 'Keep an investigation',
    description: 'Store an investigation, add to it over time, check it, and delete it.',
    paths: new RegExp(`^/api/v1/sessions$|${SESSION}(/validate)?$`),
  },
  {
    name: 'Judge it and understand why',
    description: 'Judge a stored investigation, compare with earlier judgements, and ask for reasons.',
    paths: new RegExp(`${SESSION}/(judge|judgements|jobs|explain|interpretation)`),
  },
  {
    name: 'Work with colleagues',
    description: 'Invite colleagues by name to read, edit or publish an investigation.',
    paths: new RegExp(`${SESSION}/members`),
  },
  {
    name: 'Publish it',
    description: 'Make a page that anyone with the link can read, see it first, and take it back.',
    paths: new RegExp(`^/api/v1/shares|${SESSION}/share($|/)`),
  },
  {
    name: 'Edit single items',
    description: 'Read and change one source, subject, claim, piece of evidence, inference or distinction.',
    paths: new RegExp(`${SESSION}/(actors|subjects|claims|evidence|inferences|distinctions)`),
  },
  {
    name: 'Pin quotes to documents',
    description: 'Store the text of a source, find words in it, and see whether quotes still stand there.',
    paths: new RegExp(`^/api/v1/documents|${SESSION}/quotes`),
  },
  {
    name: 'Learn from outcomes',
    description: 'Record what turned out to be true, and see how right sources and judgements were.',
    paths: new RegExp(`^/api/v1/(source-records|calibration)|${SESSION}/(outcomes|source-records)`),
  },
  {
    name: 'Watch for changes',
    description: 'Be called when a verdict changes, or follow a stream of what changed.',
    paths: new RegExp(`${SESSION}/(subscriptions|events)`),
  },
  {
    name: 'Exchange files',
    description: 'Read files of other tools, and write them.',
    paths: new RegExp(`^/api/v1/imports|${SESSION}/export`),
  },
];
