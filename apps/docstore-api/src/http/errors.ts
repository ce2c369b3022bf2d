import type { ErrorRequestHandler } from 'express';
import { quoteEtag } from '../rules/etag.ts';
import { EtagMismatch } from '../rules/precondition.ts';
import { CACHE_CONTROL } from './respond.ts';

/** Lets no cache keep an error: 404 and 501 may be kept by default (RFC 9110 §15.1). */
export const keepNoError: ErrorRequestHandler = (error, _req, res, next) => {
  if (!res.headersSent) res.setHeader('Cache-Control', CACHE_CONTROL);
  next(error);
};

/** Puts the current ETag on a 412; runs before the middleware that renders errors. */
export const sendCurrentEtag: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof EtagMismatch && !res.headersSent) res.setHeader('ETag', quoteEtag(error.currentEtag));
  next(error);
};
