import { z } from '@platform/error-contracts/zod-openapi';
import { WATCH_RULES } from '../model/watch-rules.ts';
import { SessionReference } from './session-schema.ts';
import { storable } from './storable.ts';

/** Shapes of subscriptions on a session and of what they fired. */

/** Characters of an address. */
const URL_CHARACTERS_MAX = 2000;
const time = z.iso.datetime();

export const CreateSubscriptionRequest = z
  .strictObject({
    rules: z
      .array(z.enum(WATCH_RULES))
      .min(1)
      .max(WATCH_RULES.length)
      .describe(
        'leading_changed: another value leads, or is denied that nobody states, in any scope and time, or the same one in another, of a yes-or-no question the other answer, true or false, or none, as when all claims on it are removed, while a tie with the value that led leaves it; chance_moved: by more than chance_step, of the value told last, which before_now gives where another one leads since; became_contested: the verdict turned Both; goes_stale: all that is said on a question is stale from then on; document_changed: a document under a quote of the last judgement is written, renamed, deleted or restored; policies_changed: the policies of domain_id are replaced.',
      ),
    chance_step: z.number().gt(0).max(1).default(0.1).describe('For chance_moved.'),
    subject_id: storable().nullish().describe('Only questions of this subject.'),
    predicate: storable().nullish().describe('Only questions of this predicate.'),
    domain_id: z
      .uuid()
      .nullish()
      .describe(
        'For policies_changed; unless given the root domain of the tenant, whose policies decide on investigations and documents.',
      ),
    webhook_url: storable()
      .max(URL_CHARACTERS_MAX)
      .nullish()
      .describe(
        'Where events are sent, at a host that the administrator allowed; the owner of the session alone.',
      ),
  })
  .openapi('CreateSubscriptionRequest');

export const CreateSubscription = CreateSubscriptionRequest.extend(SessionReference.shape);

export const UpdateSubscriptionRequest = z
  .strictObject({
    paused: z
      .boolean()
      .describe(
        'true: nothing is fired and nothing delivered; false: what has changed meanwhile is told, and what waits is delivered.',
      ),
  })
  .openapi('UpdateSubscriptionRequest');

export const SubscriptionReference = SessionReference.extend({
  subscription_id: z.string().describe('UUID of the subscription.'),
});

const subscriptionFields = {
  id: z.uuid(),
  session_id: z.string(),
  rules: z.array(z.enum(WATCH_RULES)),
  chance_step: z.number(),
  subject_id: z.string().nullable(),
  predicate: z.string().nullable(),
  domain_id: z.string().nullable(),
  webhook_url: z.string().nullable(),
  created_at: time,
  paused_at: time.nullable().describe('Since when it fires and delivers nothing; null = it does.'),
  last_number: z.int().describe('Number of its last event; 0 where there is none.'),
  problem: z
    .string()
    .nullable()
    .describe(
      'Why nothing is told or delivered: the receiver wanted no more, the key or user that it was made by has ended, its host is not allowed any more, or the last delivery was given up; that the session has no subject subject_id; or why document_changed or policies_changed is not told at present, and what changes meanwhile is told afterwards. null = all is told.',
    ),
};

export const SubscriptionResponse = z.object(subscriptionFields).openapi('SubscriptionResponse');

export const CreatedSubscription = z
  .object({
    ...subscriptionFields,
    secret: z
      .string()
      .nullable()
      .describe('Of a webhook: what its messages are signed with (Standard Webhooks). Shown once.'),
  })
  .openapi('CreatedSubscription');

export const ListEvents = SubscriptionReference.extend({
  after: z.int().min(0).default(0).describe('Only events with a greater number.'),
  limit: z.int().min(1).max(200).default(50).describe('Events of a page.'),
  delivery: z.enum(['none', 'pending', 'delivered', 'parked']).optional().describe('Only these.'),
});

export const StreamEvents = SessionReference.extend({
  after: z
    .int('must be the id of an event')
    .min(0)
    .optional()
    .describe('Begins behind this event; Last-Event-ID comes first. Unless given, with the next event.'),
});

export const SubscriptionEvent = z
  .object({
    id: z.uuid().describe('The same in every attempt to deliver it.'),
    number: z.int().describe('1, 2, 3, … in its subscription.'),
    type: z.enum(WATCH_RULES),
    timestamp: time.describe('When the judgement was made, or the last of the questions went stale.'),
    data: z
      .looseObject({})
      .describe(
        'What the webhook gets as `data`. `before` and `after` of a question have value, chance (null where no value counts) and scope, event_start_time and event_end_time where claims name them, denied where sources only deny the value (its chance is null where the judgement lists none), and tied where values are tied: the value is then the one of these that led before, or null; likelier is the likeliest value and its chance, where that is another one than leads by weight.',
      ),
    delivery: z
      .enum(['none', 'pending', 'delivered', 'parked'])
      .describe('none: no webhook; parked: given up until it is replayed.'),
    attempts: z.int(),
    next_attempt_at: time.nullable(),
    delivered_at: time.nullable(),
    problem: z.string().nullable().describe('Why the last attempt failed.'),
  })
  .openapi('SubscriptionEvent');

export const ReplayRequest = z
  .strictObject({ event_id: z.uuid().nullish().describe('One event; all that are parked unless given.') })
  .openapi('ReplayRequest');

export const ReplayResponse = z.object({ replayed: z.int() }).openapi('ReplayResponse');
