-- What expected_version of an update is held against.
ALTER TABLE "tenants" ADD COLUMN "version" BIGINT NOT NULL DEFAULT 1;

ALTER TABLE "users" ADD COLUMN "version" BIGINT NOT NULL DEFAULT 1;

ALTER TABLE "service_accounts" ADD COLUMN "version" BIGINT NOT NULL DEFAULT 1;

-- Lists have pages in the order of creation, which no change of a name moves.
CREATE INDEX "tenants_created_at_id_idx" ON "tenants"("created_at", "id");

CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");

CREATE INDEX "domains_tenant_id_created_at_id_idx" ON "domains"("tenant_id", "created_at", "id");

CREATE INDEX "service_accounts_tenant_id_created_at_id_idx" ON "service_accounts"("tenant_id", "created_at", "id");

-- The policies that decided checks which are on record.
CREATE TABLE "past_policies" (
    "domain_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "policies" JSONB NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_policies_pkey" PRIMARY KEY ("domain_id", "version")
);

CREATE INDEX "past_policies_ended_at_idx" ON "past_policies"("ended_at");
