import type { ErrorRequestHandler } from 'express';
import { DomainError, renderDocstoreError, type ErrorRenderer } from '@platform/error-contracts';
import { quoteEtag } from '../rules/etag.ts';
import { EtagMismatch } from '../rules/precondition.ts';
import { CACHE_CONTROL } from './respond.ts';

/** Lets no cache keep an error: 404 and 501 may be kept by default (RFC 9110 §15.1). */
export const keepNoError: ErrorRequestHandler = (error, _req, res, next) => {
  if (!res.headersSent) res.setHeader('Cache-Control', CACHE_CONTROL);
  next(error);
};

/** A Range that covers no byte of the contents (RFC 9110 §15.5.17). */
export class RangeNotSatisfiable extends DomainError {
  /** Bytes of the contents. */
  readonly size: number;

  constructor(size: number) {
    super('invalid_argument', `Range asks for none of the ${size} bytes: ask for bytes below ${size}`);
    this.size = size;
  }
}

/** Errors as the contract renders them; 416 has no code in its fixed set and goes out as bad_request. */
export const renderError: ErrorRenderer = (error, context) => {
  const rendered = renderDocstoreError(error, context);
  if (!(error instanceof RangeNotSatisfiable)) return rendered;
  return {
    ...rendered,
    status: 416,
    headers: { ...rendered.headers, 'Content-Range': `bytes */${error.size}` },
  };
};

/** Puts the current ETag on a 412; runs before the middleware that renders errors. */
export const sendCurrentEtag: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof EtagMismatch && !res.headersSent) res.setHeader('ETag', quoteEtag(error.currentEtag));
  next(error);
};
