/** When a caller that is refused may try again, by what stood in the way. Seconds. */
export const RETRY_AFTER_SECONDS = {
  /** Another call changed the same state first. */
  conflict: 1,
  /** Many calls change the same share. */
  contention: 2,
  /** A database, a cache or authz-grpc does not respond, or a service stops. */
  dependency: 1,
  /** The document store does not respond. */
  documentStore: 2,
  /** A queue of work that takes parts of a second is full. */
  queue: 1,
  /** A queue of judgements, uploads, pages, files or documents is full, whose work may take seconds. */
  longQueue: 2,
  /** A policy set waited too long, or took too long, to be checked. */
  policyCheck: 5,
  /** A tenant has as many jobs as it may have. */
  jobs: 10,
  /** A tenant has as many streams of events as it may have. */
  streams: 30,
} as const;
