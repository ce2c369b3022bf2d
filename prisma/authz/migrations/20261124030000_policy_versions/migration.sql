-- Who wrote a set of policies, when and why. `policies_since` is the version that the write made.
ALTER TABLE "domains" ADD COLUMN "policies_since" BIGINT NOT NULL DEFAULT 1,
ADD COLUMN "policies_author" UUID,
ADD COLUMN "policies_written_at" TIMESTAMPTZ(3),
ADD COLUMN "policies_message" TEXT NOT NULL DEFAULT '',
ADD COLUMN "policies_digest" TEXT NOT NULL DEFAULT '',
ADD COLUMN "policies_count" INTEGER;

-- The same of a set of the past. Nullable: replicas of the release before write rows during an upgrade.
ALTER TABLE "past_policies" ADD COLUMN "since_version" BIGINT,
ADD COLUMN "author_id" UUID,
ADD COLUMN "written_at" TIMESTAMPTZ(3),
ADD COLUMN "message" TEXT NOT NULL DEFAULT '',
ADD COLUMN "digest" TEXT NOT NULL DEFAULT '',
ADD COLUMN "policy_count" INTEGER;

UPDATE "past_policies" SET "policy_count" = jsonb_array_length("policies");
UPDATE "domains" SET "policies_count" = jsonb_array_length("policies"),
  "policies_since" = COALESCE((SELECT max(p.version) + 1 FROM "past_policies" p WHERE p.domain_id = "domains".id), 1),
  "policies_written_at" = COALESCE(
    (SELECT max(p.ended_at) FROM "past_policies" p WHERE p.domain_id = "domains".id), "created_at");
