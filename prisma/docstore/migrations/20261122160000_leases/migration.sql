-- What has become of memberships, service accounts and tenants of authz-grpc.
CREATE TABLE "leases" (
    "owner" TEXT NOT NULL,
    "lease" TEXT NOT NULL,
    "of_tenant" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("owner","lease")
);

-- A key ends with what it was minted for.
ALTER TABLE "api_keys" ADD COLUMN "lease" TEXT;
