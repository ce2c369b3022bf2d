-- What the other services keep of keys that a session of the user mints there, to ask whether the user has
-- revoked them with a new password.
ALTER TABLE "users" ADD COLUMN "keys_lease" UUID NOT NULL DEFAULT gen_random_uuid();
