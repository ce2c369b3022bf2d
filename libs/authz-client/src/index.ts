export { connectAuthority } from './authority.ts';
export type { Authority, CallMetadata, Introspection } from './authority.ts';
export { openAuthzClients } from './clients.ts';
export type { AuthzClients, CallExtras } from './clients.ts';
export { Refused } from './refusal.ts';
export { requestContext } from './values.ts';
export { verifyListedChain } from './verify-chain.ts';
export { createLoginProofCheck, loginWithProof, solveLoginProof } from './login-proof.ts';
export type { ProvenLogin } from './login-proof.ts';
