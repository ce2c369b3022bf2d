import type { ErrorRequestHandler } from 'express';
import { quoteEtag } from '../domain/etag.ts';
import { EtagMismatch } from '../operations/precondition.ts';

/** Puts the current ETag on a 412; stands before the middleware that answers errors. */
export const tellCurrentEtag: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof EtagMismatch && !res.headersSent) res.setHeader('ETag', quoteEtag(error.currentEtag));
  next(error);
};
