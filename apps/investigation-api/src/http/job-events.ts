import { DomainError, toDomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { requestAbortSignal } from '@platform/service-kit';
import type { Request, RequestHandler } from 'express';
import { readJudgementJob, toJobView } from '../operations/jobs.ts';
import { withDeskCookie } from './desk-cookie.ts';
import { EVENT_STREAM_HEADERS, writeEvents } from './event-stream.ts';
import type { HttpDeps } from './http-deps.ts';

/**
 * One job as server-sent events, an event each time it has changed, named by its status. It ends with the
 * job, with the caller's credential or right, which are asked for with each heartbeat, and when the service
 * stops.
 */
export function jobEvents(deps: HttpDeps): RequestHandler<{ session_id: string; job_id: string }> {
  const heartbeatMs = deps.config.eventHeartbeatMs;
  return async (req, res) => {
    const request = withDeskCookie(req as Request, deps.config);
    const caller = await deps.authenticate(request);
    let job = await readJudgementJob(deps, req.params, caller);
    if (req.method === 'HEAD') return void res.writeHead(200, EVENT_STREAM_HEADERS).end();
    const ends = new AbortController();
    const ref = { tenantId: caller.tenantId!, sessionId: req.params.session_id };
    const stream = deps.eventStreams.open(ref, { wake: () => undefined, end: () => ends.abort() });
    if (stream === null)
      throw new DomainError(
        'unavailable',
        'the tenant has too many streams of events, or the service stops',
        { retryAfterSeconds: RETRY_AFTER_SECONDS.streams },
      );
    const signal = AbortSignal.any([requestAbortSignal(res), ends.signal]);
    try {
      res.writeHead(200, EVENT_STREAM_HEADERS);
      for (let [shown, heardAt] = ['', performance.now()]; !signal.aborted;) {
        const data = JSON.stringify(job);
        if (data !== shown) await writeEvents(res, `event: ${job.status}\ndata: ${data}\n\n`, signal);
        shown = data;
        if (job.finished_at !== null) break;
        const seen = await deps.jobWatch.next(ref.tenantId, job.id);
        if (seen === null) break;
        job = toJobView(ref.sessionId, seen);
        if (performance.now() > heardAt + heartbeatMs) {
          job = await readJudgementJob(deps, req.params, await deps.authenticate(request));
          heardAt = performance.now();
          await writeEvents(res, ':\n\n', signal);
        }
      }
    } catch (error) {
      // The receiver asks again, and is told then what is wrong.
      if (!signal.aborted && toDomainError(error).kind === 'internal')
        req.log().error({ err: error }, 'a stream of events failed');
    } finally {
      stream.close();
      res.end();
    }
  };
}
