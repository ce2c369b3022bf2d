-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "subscription" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domains" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_root" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "version" BIGINT NOT NULL DEFAULT 1,
    "policies" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domain_superiors" (
    "domain_id" UUID NOT NULL,
    "superior_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "domain_superiors_pkey" PRIMARY KEY ("domain_id","superior_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "is_root" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "associations" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "associations_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateTable
CREATE TABLE "service_accounts" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "jti" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "tenant_id" UUID,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("jti")
);

-- CreateTable
CREATE TABLE "attributes" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "attributes_pkey" PRIMARY KEY ("tenant_id","user_id","key","value")
);

-- CreateTable
CREATE TABLE "verification_tokens" (
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "verification_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "oauth_identities" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "oauth_identities_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "oauth_states" (
    "state_hash" BYTEA NOT NULL,
    "tenant_id" UUID,
    "redirect_uri" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "quotas" (
    "owner_id" UUID NOT NULL,
    "plane" TEXT NOT NULL,
    "max_tokens" BIGINT NOT NULL,
    "max_overage" BIGINT NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,
    "epoch" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "quotas_pkey" PRIMARY KEY ("owner_id","plane")
);

-- CreateTable
CREATE TABLE "quota_epochs" (
    "scope" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "reset_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_epochs_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "signs_from" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "tenant_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "domain_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "decision" BOOLEAN NOT NULL,
    "matched_policy" TEXT NOT NULL,
    "caller_id" UUID NOT NULL,
    "latency_micros" BIGINT NOT NULL,
    "policy_version" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id","time")
) PARTITION BY RANGE ("time");

-- Rows of days that have no partition yet land here; the service makes the days' partitions ahead.
CREATE TABLE "audit_events_default" PARTITION OF "audit_events" DEFAULT;

-- CreateTable
CREATE TABLE "audit_chains" (
    "tenant_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "anchor_sequence" BIGINT NOT NULL DEFAULT 0,
    "anchor_hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_name_key" ON "tenants"("name");

-- CreateIndex
CREATE UNIQUE INDEX "domains_tenant_id_name_key" ON "domains"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "domain_superiors_superior_id_idx" ON "domain_superiors"("superior_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key" ON "users"("username");

-- CreateIndex
CREATE INDEX "associations_user_id_idx" ON "associations"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "service_accounts_tenant_id_name_key" ON "service_accounts"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "credentials_subject_id_type_idx" ON "credentials"("subject_id", "type");

-- CreateIndex
CREATE INDEX "credentials_expires_at_idx" ON "credentials"("expires_at");

-- CreateIndex
CREATE INDEX "attributes_user_id_idx" ON "attributes"("user_id");

-- CreateIndex
CREATE INDEX "verification_tokens_user_id_type_idx" ON "verification_tokens"("user_id", "type");

-- CreateIndex
CREATE INDEX "oauth_identities_user_id_idx" ON "oauth_identities"("user_id");

-- CreateIndex
CREATE INDEX "audit_events_tenant_id_sequence_idx" ON "audit_events"("tenant_id", "sequence");

-- AddForeignKey
ALTER TABLE "domains" ADD CONSTRAINT "domains_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_superiors" ADD CONSTRAINT "domain_superiors_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "domains"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_superiors" ADD CONSTRAINT "domain_superiors_superior_id_fkey" FOREIGN KEY ("superior_id") REFERENCES "domains"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "associations" ADD CONSTRAINT "associations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "associations" ADD CONSTRAINT "associations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attributes" ADD CONSTRAINT "attributes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attributes" ADD CONSTRAINT "attributes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verification_tokens" ADD CONSTRAINT "verification_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_identities" ADD CONSTRAINT "oauth_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The first refresh cycle.
INSERT INTO "quota_epochs" ("scope", "epoch", "reset_at") VALUES ('tenant', 1, now()), ('user', 1, now());
