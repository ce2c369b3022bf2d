-- Who was given the secret of a key: it ends with them, too, as the key does with who made it.
ALTER TABLE "api_keys" ADD COLUMN "secret_leases" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "previous_leases" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "rotated_by" TEXT,
ADD COLUMN "rotated_at" TIMESTAMPTZ(3);
