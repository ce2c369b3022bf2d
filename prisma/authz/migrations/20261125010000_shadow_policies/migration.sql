-- Sets of policies that decide beside the real ones and only count.
ALTER TABLE "domains" ADD COLUMN "shadow_writes" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "shadow_policies" (
  "domain_id" UUID NOT NULL,
  "version" BIGINT NOT NULL,
  "policies" JSONB NOT NULL,
  "author_id" UUID NOT NULL,
  "written_at" TIMESTAMPTZ(3) NOT NULL,
  "message" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "policy_count" INTEGER NOT NULL,
  "compared_version" BIGINT,
  "agree" BIGINT NOT NULL DEFAULT 0,
  "would_gain" BIGINT NOT NULL DEFAULT 0,
  "would_lose" BIGINT NOT NULL DEFAULT 0,
  "not_decided" BIGINT NOT NULL DEFAULT 0,
  "examples" JSONB NOT NULL DEFAULT '[]',
  CONSTRAINT "shadow_policies_pkey" PRIMARY KEY ("domain_id"),
  CONSTRAINT "shadow_policies_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "domains"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
