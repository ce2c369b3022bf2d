import { whereSaid } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type { FiredQuestion, LeadingChance } from '../model/watch-rules.ts';
import { SessionReference } from '../wire/session-schema.ts';
import * as schemas from '../wire/watch-schema.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { listText } from './response-text.ts';
import { sessionTool } from './session-tool.ts';
import type { Tool } from './tool.ts';
import { ADDS, DELETES, READS, SETS } from './tool.ts';
import { inBrackets } from './verdict-summary.ts';
import { percent, short } from './words.ts';

const EXAMPLE = { ...EXAMPLE_SESSION, subscription_id: '0b8f3c5e-4a57-4c7e-9a3d-2f6d8e1c7b90' };
const NEEDS_SESSION = ['create_investigation_session'];
const NEEDS_SUBSCRIPTION = [...NEEDS_SESSION, 'create_subscription'];

/** Tools on subscriptions to what changes in judgements. */
export const WATCH_TOOLS: readonly Tool[] = [
  sessionTool('create_subscription', {
    toolset: 'watch',
    annotations: ADDS,
    description:
      'Subscribes to what changes in the judgements of a session, in documents that it quotes, or in policies.',
    input: schemas.CreateSubscription,
    example: { ...EXAMPLE_SESSION, rules: ['leading_changed', 'chance_moved'] },
    exampleNeeds: NEEDS_SESSION,
    reading: 'list_subscription_events with its `id` tells what fired. `secret` is shown once.',
    text: ({ id }: z.output<typeof schemas.CreatedSubscription>) => `Subscription ${id}.`,
  }),
  sessionTool('list_subscriptions', {
    toolset: 'watch',
    annotations: READS,
    description: 'Lists your subscriptions on a session.',
    input: SessionReference,
    arrayKey: 'subscriptions',
    compact: {},
    example: EXAMPLE_SESSION,
    exampleNeeds: NEEDS_SESSION,
    reading:
      '`last_number` is the number of the last event; `problem` says why documents or policies are not told of at present.',
    text: ({ subscriptions }: { subscriptions: z.output<typeof schemas.SubscriptionResponse>[] }) =>
      listText(
        subscriptions,
        'subscriptions',
        ({ id, rules, paused_at, problem }) =>
          `${id}: ${rules.join(', ')}${paused_at === null ? '' : ' (paused)'}${problem === null ? '' : ` (${problem})`}`,
      ),
  }),
  sessionTool('list_subscription_events', {
    toolset: 'watch',
    annotations: READS,
    description: 'Lists what a subscription fired since an event, by number.',
    input: schemas.ListEvents,
    arrayKey: 'events',
    example: EXAMPLE,
    exampleNeeds: NEEDS_SUBSCRIPTION,
    reading:
      'Where `next_cursor` is given there are more: ask again with it as `after`; for later ones with the last `number`.',
    text: ({
      events,
      next_cursor,
    }: {
      events: z.output<typeof schemas.SubscriptionEvent>[];
      next_cursor?: number;
    }) =>
      listText(events, 'events', eventLine) +
      (next_cursor === undefined ? '' : `\nThere are more: ask again with after ${next_cursor}.`),
  }),
  sessionTool('update_subscription', {
    toolset: 'watch',
    annotations: SETS,
    description: 'Pauses a subscription, or resumes it; resumed, it tells what has changed meanwhile, once.',
    input: schemas.UpdateSubscriptionRequest.extend(schemas.SubscriptionReference.shape),
    example: { ...EXAMPLE, paused: true },
    exampleNeeds: NEEDS_SUBSCRIPTION,
    reading: '`paused_at` says since when it is paused; null = it is not.',
    text: ({ id, paused_at }: z.output<typeof schemas.SubscriptionResponse>) =>
      `Subscription ${id} ${paused_at === null ? 'is active' : `is paused since ${paused_at}`}.`,
  }),
  sessionTool('replay_deliveries', {
    toolset: 'watch',
    annotations: ADDS,
    description: 'Delivers an event, or all that are parked, to the webhook again.',
    input: schemas.ReplayRequest.extend(schemas.SubscriptionReference.shape),
    example: EXAMPLE,
    exampleNeeds: NEEDS_SUBSCRIPTION,
    reading: '`replayed` counts the events that are on their way again.',
    text: ({ replayed }: z.output<typeof schemas.ReplayResponse>) =>
      replayed === 1 ? '1 event is sent again.' : `${replayed} events are sent again.`,
  }),
  sessionTool('delete_subscription', {
    toolset: 'watch',
    annotations: DELETES,
    description: 'Ends a subscription; its events are forgotten.',
    input: schemas.SubscriptionReference,
    example: EXAMPLE,
    exampleNeeds: NEEDS_SUBSCRIPTION,
    reading: 'A second call finds no such subscription.',
    text: () => 'The subscription has ended.',
  }),
];

interface ChangedDocument {
  readonly filename: string;
  readonly type: string;
  readonly version: number;
}

/** Questions and documents that the line of an event names. */
const NAMED_MAX = 3;

/** An event in one line: number, type, time, and the questions or documents that it is about. Pure. */
export function eventLine({
  number,
  type,
  timestamp,
  data,
}: z.output<typeof schemas.SubscriptionEvent>): string {
  const { questions = [], documents = [] } = data as {
    questions?: readonly FiredQuestion[];
    documents?: readonly ChangedDocument[];
  };
  const named = [
    ...questions.map(questionWords),
    ...documents.map((one) => `${one.filename} ${one.type}, version ${one.version}`),
  ];
  const more = named.length > NAMED_MAX ? [`${named.length - NAMED_MAX} more`] : [];
  return `${number}: ${type}, ${timestamp}: ${[...named.slice(0, NAMED_MAX), ...more].join('; ')}`;
}

const rivalWords = ({ likelier }: LeadingChance): string =>
  likelier ? `, ${short(likelier.value, 80)} likelier at ${percent(likelier.chance)}` : '';

function questionWords({
  subject_id,
  predicate,
  before,
  before_now: now,
  after,
  stale_at,
}: FiredQuestion): string {
  const side = (one: LeadingChance) =>
    `${short(one.value ?? 'no value', 80)}${inBrackets(whereSaid({ ...one, value: one.value ?? undefined }))} (${one.denied ? 'denied, ' : ''}${one.tied ? 'tied, ' : ''}${one.chance === null ? 'no chance given' : percent(one.chance)}${rivalWords(one)})`;
  const left = now === undefined ? '' : `, now ${percent(now)},`;
  const move = before && after ? `: ${side(before)}${left} to ${side(after)}` : '';
  return `${subject_id} ${predicate}${move}${stale_at === undefined ? '' : ` is stale since ${stale_at}`}`;
}
