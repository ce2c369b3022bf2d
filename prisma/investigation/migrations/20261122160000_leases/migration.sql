-- What has become of memberships, service accounts and tenants of authz-grpc.
CREATE TABLE "leases" (
    "owner" TEXT NOT NULL,
    "lease" TEXT NOT NULL,
    "of_tenant" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("owner","lease")
);

-- A share ends with who published it.
ALTER TABLE "shares" ADD COLUMN "lease" TEXT;
