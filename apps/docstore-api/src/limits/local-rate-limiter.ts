import { stepGcra, type GcraPace } from '@platform/service-kit';
import { GO_AHEAD, type Rate, type RateLimiter, type RateVerdict } from './rate-limiter.ts';

/** How far ahead places are given at most. */
const PLACES_AHEAD_MS = 60_000;
/** How many places of a subject there are at most, at a high rate. */
const PLACES_MAX = 1_000;
/** How long a place is kept once its time has come: what clients add as jitter, and a slow network. */
const PLACE_KEPT_MS = 30_000;

/** The rate in milliseconds, with how far ahead places are given and how long they are kept. */
export function paceOf({
  perMinute,
  burst,
}: Rate): GcraPace & { readonly ahead: number; readonly kept: number } {
  const interval = 60_000 / perMinute;
  const tolerance = interval * (burst - 1);
  // Half an interval less than `stepGcra` takes for a clock that was set back.
  const ahead = Math.min(PLACES_AHEAD_MS, PLACES_MAX * interval, tolerance + interval / 2);
  return { interval, tolerance, ahead, kept: PLACE_KEPT_MS };
}

/** The verdict on a request that has to wait this long. */
export function refusedFor(waitMs: number, isReserved: boolean): RateVerdict {
  return { seconds: Math.max(1, Math.ceil(waitMs / 1000)), isReserved };
}

/** Milliseconds after which a place must be there for a client that is told `seconds`. */
export function latestMs(seconds: number): number {
  return (seconds - 1) * 1000;
}

/** Subjects remembered before those that have recovered are forgotten. */
const SWEEP_SIZE = 10_000;

interface Subject {
  /** What `stepGcra` keeps. */
  arrival: number | undefined;
  /** The times from which places are kept, ascending, by their request. */
  readonly places: Map<string, number[]>;
}

/**
 * Counts in this process; a place is paid for when it is given. `now` gives milliseconds and never goes back.
 */
export function createLocalRateLimiter(rate: Rate, now: () => number): RateLimiter {
  const pace = paceOf(rate);
  const { ahead, kept } = pace;
  const subjects = new Map<string, Subject>();

  function subjectOf(name: string, time: number): Subject {
    const known = subjects.get(name);
    if (known !== undefined) return known;
    if (subjects.size >= SWEEP_SIZE) {
      for (const [other, { arrival, places }] of subjects) {
        giveUpOld(places, time);
        if ((arrival ?? 0) <= time && places.size === 0) subjects.delete(other);
      }
    }
    const made = { arrival: undefined, places: new Map<string, number[]>() };
    subjects.set(name, made);
    return made;
  }

  function giveUpOld(places: Map<string, number[]>, time: number): void {
    for (const [request, times] of places) {
      const left = times.filter((from) => from > time - kept);
      if (left.length === 0) places.delete(request);
      else if (left.length < times.length) places.set(request, left);
    }
  }

  function place({ places }: Subject, request: string, from: number): void {
    giveUpOld(places, now());
    places.set(
      request,
      [...(places.get(request) ?? []), from].sort((a, b) => a - b),
    );
  }

  function ask(name: string, request: string, leastMs: number): RateVerdict {
    const time = now();
    const subject = subjectOf(name, time);
    const { next, wait } = stepGcra(subject.arrival, time, pace);
    const waitMs = Math.max(wait, leastMs);
    // A place that another limiter asks for may lie further ahead than the count does.
    if (wait > ahead) return refusedFor(waitMs, false);
    subject.arrival = next;
    if (waitMs <= 0) return GO_AHEAD;
    place(subject, request, time + waitMs);
    return refusedFor(waitMs, true);
  }

  return {
    async take(name, request) {
      const time = now();
      const { places } = subjectOf(name, time);
      const times = places.get(request)?.filter((from) => from > time - kept) ?? [];
      const isDue = times.length > 0 && times[0]! <= time;
      const rest = isDue ? times.slice(1) : times;
      if (rest.length === 0) places.delete(request);
      else places.set(request, rest);
      return isDue ? GO_AHEAD : ask(name, request, 0);
    },
    async reserve(name, request, seconds) {
      const { seconds: told, isReserved } = ask(name, request, Math.max(1, latestMs(seconds)));
      return { seconds: Math.max(told, seconds), isReserved };
    },
    async keep(name, request, seconds) {
      const time = now();
      place(subjectOf(name, time), request, time + latestMs(seconds));
    },
    isRedisUnavailable: () => false,
    async close() {
      subjects.clear();
    },
  };
}
