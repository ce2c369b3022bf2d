import { DomainError, toDomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { requestAbortSignal } from '@platform/service-kit';
import type { Request, RequestHandler } from 'express';
import { openSessionEvents, readSessionEvents, type StreamedEvent } from '../operations/subscriptions.ts';
import { withDeskCookie } from './desk-cookie.ts';
import { EVENT_STREAM_HEADERS, until, writeEvents } from './event-stream.ts';
import type { HttpDeps } from './http-deps.ts';

/** How soon a receiver comes back that was cut off. Milliseconds. */
const RETRY_MS = 2_000;

/**
 * The events of the caller's subscriptions on a session as server-sent events. It begins behind the event
 * that Last-Event-ID or `after` names, else with the next one. What is read is read page by page, and only
 * once the receiver has taken the page before. Each page needs a credential that is good at that moment; the
 * stream ends with it, and when the service stops.
 */
export function sessionEvents(deps: HttpDeps): RequestHandler<{ session_id: string }> {
  // How often a stream in which nothing happens is written to, and its credential looked at.
  const heartbeatMs = deps.config.eventHeartbeatMs;
  return async (req, res) => {
    const request = withDeskCookie(req as Request, deps.config);
    const caller = await deps.authenticate(request);
    const { session_id } = req.params;
    const lastEventId = req.get('last-event-id');
    const { ref, cursor: start } = await openSessionEvents(
      deps,
      { session_id, ...(req.query['after'] === undefined ? {} : { after: numberOf(req.query['after']) }) },
      lastEventId === undefined ? null : numberOf(lastEventId),
      caller,
    );
    // Express serves HEAD by the handler of GET, and Node holds its headers back until the body ends.
    if (req.method === 'HEAD') {
      res.writeHead(200, EVENT_STREAM_HEADERS).end();
      return;
    }
    const ends = new AbortController();
    let isDue = true;
    let wake = () => {};
    const stream = deps.eventStreams.open(ref, {
      wake() {
        isDue = true;
        wake();
      },
      end: () => ends.abort(),
    });
    if (stream === null)
      throw new DomainError(
        'unavailable',
        'the tenant has too many streams of events, or the service stops',
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS.streams,
        },
      );
    const signal = AbortSignal.any([requestAbortSignal(res), ends.signal]);
    signal.addEventListener('abort', () => wake());
    try {
      res.writeHead(200, EVENT_STREAM_HEADERS);
      await writeEvents(res, `retry: ${RETRY_MS}\nid: ${start}\n\n`, signal);
      let [cursor, current] = [start, caller];
      for (let heardAt = performance.now(); !signal.aborted;) {
        if (!isDue) await until((resolve) => (wake = resolve), heardAt + heartbeatMs);
        if (signal.aborted) break;
        isDue = false;
        const events = await readSessionEvents(deps, { session_id, after: cursor }, current);
        if (events.length === 0 && performance.now() < heardAt + heartbeatMs) continue;
        current = await deps.authenticate(request);
        heardAt = performance.now();
        // A page may be full: there is more, perhaps.
        isDue = isDue || events.length > 0;
        cursor = events.at(-1)?.sequence ?? cursor;
        await writeEvents(res, events.length === 0 ? ':\n\n' : events.map(written).join(''), signal);
      }
    } catch (error) {
      // The receiver asks again, and is told then what is wrong.
      const { kind } = toDomainError(error);
      if (kind === 'internal' && !signal.aborted)
        req.log().error({ err: error }, 'a stream of events failed');
    } finally {
      stream.close();
      res.end();
    }
  };
}

/** Digits as the number they are; anything else for the operation to refuse. */
const numberOf = (text: unknown) =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text;

/** Source: HTML Standard, 9.2.5. The body is JSON, which has no line breaks. */
const written = ({ sequence, rule, body }: StreamedEvent) =>
  `id: ${sequence}\nevent: ${rule}\ndata: ${body}\n\n`;
