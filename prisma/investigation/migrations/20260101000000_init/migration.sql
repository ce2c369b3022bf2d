-- Both ship with Postgres and are trusted: the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE "sessions" (
    "key" BIGSERIAL NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "session_hash" UUID NOT NULL,
    "session_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "list_hash" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT COLLATE "C" NOT NULL,
    "name_prefix" TEXT COLLATE "C" NOT NULL,
    "settings" TEXT NOT NULL,
    "payload_bytes" BIGINT NOT NULL,
    "next_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "judged_at" TIMESTAMPTZ(3),
    "interpretation" TEXT,
    "interpretation_updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "session_entities" (
    "session_key" BIGINT NOT NULL,
    "kind" SMALLINT NOT NULL,
    "id_hash" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "session_entities_pkey" PRIMARY KEY ("session_key", "kind", "id_hash")
);

CREATE TABLE "judgements" (
    "id" UUID NOT NULL,
    "session_key" BIGINT NOT NULL,
    "judged_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "input_snapshot" TEXT NOT NULL,
    "result" TEXT NOT NULL,

    CONSTRAINT "judgements_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "shares" (
    "share_uuid" UUID NOT NULL,
    "session_key" BIGINT NOT NULL,
    "list_hash" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "preferred_pane" TEXT NOT NULL,
    "is_public" BOOLEAN NOT NULL,
    "snapshot" TEXT,
    "snapshot_taken_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shares_pkey" PRIMARY KEY ("share_uuid")
);

CREATE UNIQUE INDEX "sessions_tenant_id_session_hash_key" ON "sessions"("tenant_id", "session_hash");
-- Behind the key stands what lists filter by, so that a page is found on the index alone.
CREATE INDEX "sessions_list_hash_updated_at_key_judged_at_idx"
    ON "sessions"("list_hash", "updated_at", "key", "judged_at");
CREATE INDEX "sessions_list_hash_created_at_key_updated_at_judged_at_idx"
    ON "sessions"("list_hash", "created_at", "key", "updated_at", "judged_at");
CREATE INDEX "sessions_list_hash_name_prefix_key_updated_at_judged_at_idx"
    ON "sessions"("list_hash", "name_prefix", "key", "updated_at", "judged_at");

CREATE INDEX "judgements_session_key_judged_at_id_idx" ON "judgements"("session_key", "judged_at", "id");

CREATE UNIQUE INDEX "shares_session_key_key" ON "shares"("session_key");
CREATE INDEX "shares_list_hash_updated_at_idx" ON "shares"("list_hash", "updated_at");

-- For parts of names: the owner's list narrows it, trigrams find substrings. It is partial, with a condition every row meets and
-- every search implies, because Prisma would drop a whole one it cannot express.
CREATE INDEX "sessions_list_hash_name_folded_idx" ON "sessions"
    USING GIN ("list_hash", "name_folded" gin_trgm_ops) WHERE "list_hash" IS NOT NULL;

ALTER TABLE "session_entities" ADD CONSTRAINT "session_entities_session_key_fkey"
    FOREIGN KEY ("session_key") REFERENCES "sessions"("key") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "judgements" ADD CONSTRAINT "judgements_session_key_fkey"
    FOREIGN KEY ("session_key") REFERENCES "sessions"("key") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "shares" ADD CONSTRAINT "shares_session_key_fkey"
    FOREIGN KEY ("session_key") REFERENCES "sessions"("key") ON DELETE CASCADE ON UPDATE CASCADE;

-- Results run to tens of megabytes: lz4 packs them several times faster than the default. PGlite is built without it.
DO $$ BEGIN
    ALTER TABLE "session_entities" ALTER COLUMN "body" SET COMPRESSION lz4;
    ALTER TABLE "judgements" ALTER COLUMN "input_snapshot" SET COMPRESSION lz4, ALTER COLUMN "result" SET COMPRESSION lz4;
    ALTER TABLE "shares" ALTER COLUMN "snapshot" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
