export { connectAuthority } from './authority.ts';
export type {
  Authority,
  CallMetadata,
  Introspection,
  LeaseState,
  Login,
  LoginOutcome,
  ObjectNames,
} from './authority.ts';
export { openAuthzClients } from './clients.ts';
export type { AuthzClients, CallExtras } from './clients.ts';
export { filterPredicate } from './filter.ts';
export type { Filter, RegexTest, ResourceValues } from './filter.ts';
export { filterPrisma } from './filter-prisma.ts';
export type { PrismaField, PrismaFilter } from './filter-prisma.ts';
export { filterSql } from './filter-sql.ts';
export type { FilterColumn, SqlFilter } from './filter-sql.ts';
export { readFilter } from './plan.ts';
export { objectUri } from '@platform/decide/object-uri';
export { GrpcCallError } from './grpc-call-error.ts';
export type { TlsFiles } from './tls.ts';
export { requestContext } from './values.ts';
export { verifyListedChain } from './verify-chain.ts';
export { loginWithProof, solveLoginProof } from './login-proof.ts';
export { createLeases, eraseDeletedTenants, rememberTenants } from './leases.ts';
export type { KnownLease, Leases, LeaseRecord } from './leases.ts';
export { createLeaseRecord, LEASE_IS_ACTIVE } from './lease-record.ts';
