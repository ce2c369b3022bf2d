-- Both ship with Postgres and are trusted: the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "owner_usage" (
    "owner" TEXT COLLATE "C" NOT NULL,
    "documents" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "owner_usage_pkey" PRIMARY KEY ("owner"),
    CONSTRAINT "owner_usage_not_negative" CHECK ("documents" >= 0 AND "bytes" >= 0)
);

CREATE TABLE "documents" (
    "id" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "filename" TEXT COLLATE "C" NOT NULL,
    "filename_folded" TEXT COLLATE "C" NOT NULL,
    "etag" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "document_versions" (
    "document_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "etag" TEXT COLLATE "C" NOT NULL,
    "filename" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "metadata" JSONB NOT NULL,
    "contents" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_versions_pkey" PRIMARY KEY ("document_id", "version")
);

CREATE TABLE "document_search" (
    "document_id" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "folded" TEXT NOT NULL,
    "words" TEXT[],

    CONSTRAINT "document_search_pkey" PRIMARY KEY ("document_id")
);

CREATE TABLE "idempotent_answers" (
    "owner" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("owner", "key")
);

CREATE TABLE "shared_secrets" (
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "shared_secrets_pkey" PRIMARY KEY ("name")
);

CREATE INDEX "api_keys_owner_created_at_idx" ON "api_keys"("owner", "created_at");

CREATE UNIQUE INDEX "documents_owner_filename_key" ON "documents"("owner", "filename");
CREATE INDEX "documents_owner_updated_at_id_idx" ON "documents"("owner", "updated_at", "id");
CREATE INDEX "documents_owner_size_id_idx" ON "documents"("owner", "size", "id");
CREATE INDEX "documents_owner_revision_idx" ON "documents"("owner", "revision");

-- One index for every search: the owner narrows it, trigrams find substrings, array elements find words. It is partial,
-- with a condition every row meets and every search implies, because Prisma would drop a whole one it cannot express.
CREATE INDEX "document_search_owner_folded_words_idx" ON "document_search"
    USING GIN ("owner", "folded" gin_trgm_ops, "words") WHERE "owner" IS NOT NULL;

CREATE INDEX "idempotent_answers_created_at_idx" ON "idempotent_answers"("created_at");

ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_id_fkey"
    FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "document_search" ADD CONSTRAINT "document_search_document_id_fkey"
    FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
