export { openAuthzClients } from './clients.ts';
export type { AuthzClients, CallExtras } from './clients.ts';
export { Refused } from './refusal.ts';
export { requestContext } from './values.ts';
