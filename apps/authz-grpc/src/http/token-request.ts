import { z } from 'zod';

/** Body of `POST /v1/auth/token`. */
export const TokenRequest = z.object({
  credential: z.string().optional(),
  duration: z.number().int().optional(),
});
