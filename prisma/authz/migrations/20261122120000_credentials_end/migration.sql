-- What a credential may be used for, and the credential it was derived from and ends with.
ALTER TABLE "credentials" ADD COLUMN "scopes" TEXT NOT NULL DEFAULT '',
ADD COLUMN "parent_id" UUID;

-- CreateIndex
CREATE INDEX "credentials_parent_id_idx" ON "credentials"("parent_id");

-- CreateIndex
CREATE INDEX "credentials_issued_at_idx" ON "credentials"("issued_at");

-- Accounts without a tenant belong to the system, such as a login front end's.
ALTER TABLE "service_accounts" ALTER COLUMN "tenant_id" DROP NOT NULL,
ADD COLUMN "scopes" TEXT NOT NULL DEFAULT '';

-- Whose tenants are counted together.
ALTER TABLE "tenants" ADD COLUMN "founder_id" UUID;

-- CreateIndex
CREATE INDEX "tenants_founder_id_idx" ON "tenants"("founder_id");

-- A domain that does not inherit the policies of its tenant's root domain.
ALTER TABLE "domains" ADD COLUMN "detached" BOOLEAN NOT NULL DEFAULT false;

-- A key that was taken out of use before its last token had ended.
ALTER TABLE "signing_keys" ADD COLUMN "retired_at" TIMESTAMPTZ(3);

-- Replaced keys were kept ten years; the service now ends each with the last token it signed.
UPDATE "signing_keys" SET "expires_at" = NULL;
