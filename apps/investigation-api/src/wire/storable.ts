import { z } from '@platform/error-contracts/zod-openapi';

/** Text that a database and a URL can carry: no NUL, no half of a surrogate pair. */
export const storable = () =>
  z.string().superRefine((text, ctx) => {
    if (text.includes('\0')) ctx.addIssue('must not contain the character U+0000');
    else if (!text.isWellFormed()) ctx.addIssue('must be well-formed Unicode: it holds a lone surrogate');
  });
