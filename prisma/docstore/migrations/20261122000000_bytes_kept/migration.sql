-- What is kept is counted: versions and metadata, besides the current contents.
ALTER TABLE "documents" ADD COLUMN "bytes_kept" BIGINT NOT NULL DEFAULT 0;
UPDATE "documents" d SET "bytes_kept" = (
  SELECT sum(v."size" + octet_length(v."metadata"::text) - 2) FROM "document_versions" v WHERE v."document_id" = d."id"
);
ALTER TABLE "documents" ALTER COLUMN "bytes_kept" DROP DEFAULT;
UPDATE "owner_usage" u SET "bytes" = (
  SELECT COALESCE(sum(d."bytes_kept"), 0) FROM "documents" d WHERE d."owner" = u."owner"
);

-- A key that was rotated with an overlap is accepted by its previous secret for a while.
ALTER TABLE "api_keys" ADD COLUMN "previous_hash" BYTEA, ADD COLUMN "previous_until" TIMESTAMPTZ(3);

-- Deletions, by the owner's revision; revisions up to `forgotten_revision` may have lost theirs.
ALTER TABLE "owner_usage" ADD COLUMN "forgotten_revision" BIGINT NOT NULL DEFAULT 0;
CREATE TABLE "tombstones" (
    "owner" TEXT COLLATE "C" NOT NULL,
    "revision" BIGINT NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "filename" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tombstones_pkey" PRIMARY KEY ("owner", "revision")
);
CREATE INDEX "tombstones_deleted_at_idx" ON "tombstones"("deleted_at");
