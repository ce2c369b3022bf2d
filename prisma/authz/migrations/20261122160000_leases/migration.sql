-- What the other services keep of a membership, an account and a tenant, to ask whether it still exists.
ALTER TABLE "associations" ADD COLUMN "lease" UUID NOT NULL DEFAULT gen_random_uuid();

ALTER TABLE "service_accounts" ADD COLUMN "lease" UUID NOT NULL DEFAULT gen_random_uuid();

ALTER TABLE "tenants" ADD COLUMN "lease" UUID NOT NULL DEFAULT gen_random_uuid();

-- Tenants that were deleted: the other services erase what they keep of them.
CREATE TABLE "deleted_tenants" (
    "id" UUID NOT NULL,
    "lease" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deleted_tenants_pkey" PRIMARY KEY ("id")
);
