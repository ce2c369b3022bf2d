/** The password of the root user of an authz-grpc that a suite starts. */
export const ROOT_PASSWORD = 'a root password for tests 7391';

/** Settings of such a service: its root user, and room for the many users that suites make a minute. */
export const AUTHZ_SETTINGS = {
  AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
  AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '100000',
} as const;
