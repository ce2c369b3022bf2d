-- Consents of users to programs that work for them, and the refresh tokens of each.
CREATE TABLE "client_grants" (
  "id" UUID NOT NULL,
  "client_id" TEXT NOT NULL,
  "client_name" TEXT NOT NULL,
  "redirect_uri" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "tenant_id" UUID NOT NULL,
  "resource" TEXT NOT NULL,
  "scopes" TEXT NOT NULL,
  "code_hash" BYTEA NOT NULL,
  "code_challenge" TEXT NOT NULL,
  "code_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "code_used_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "client_grants_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "client_grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "client_grants_code_hash_key" ON "client_grants"("code_hash");
CREATE INDEX "client_grants_user_id_idx" ON "client_grants"("user_id");
CREATE INDEX "client_grants_expires_at_idx" ON "client_grants"("expires_at");

CREATE TABLE "refresh_tokens" (
  "token_hash" BYTEA NOT NULL,
  "grant_id" UUID NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash"),
  CONSTRAINT "refresh_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "client_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "refresh_tokens_grant_id_idx" ON "refresh_tokens"("grant_id");
