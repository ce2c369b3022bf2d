-- Subscriptions to changes of the documents under a judgement's quotes.
ALTER TABLE "watch_subscriptions" ADD COLUMN "documents" TEXT[];
CREATE INDEX "watch_subscriptions_documents_idx" ON "watch_subscriptions" USING GIN ("documents");
ALTER TABLE "watch_outbox" ADD COLUMN "changes" TEXT;
CREATE INDEX "watch_outbox_subscription_id_sequence_idx" ON "watch_outbox" ("subscription_id", "sequence");

-- How far what is followed for a tenant is read, such as the changes of its documents.
CREATE TABLE "watch_follows" (
  "tenant_id" TEXT NOT NULL,
  "feed" TEXT NOT NULL,
  "since" BIGINT NOT NULL,
  "taken_until" TIMESTAMPTZ(3),
  CONSTRAINT "watch_follows_pkey" PRIMARY KEY ("tenant_id", "feed")
);

-- The last change of each document, for judgements that were being made when it was read.
CREATE TABLE "watch_document_changes" (
  "tenant_id" TEXT NOT NULL,
  "document" TEXT NOT NULL,
  "version" BIGINT NOT NULL,
  "body" TEXT NOT NULL,
  "read_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "watch_document_changes_pkey" PRIMARY KEY ("tenant_id", "document")
);
CREATE INDEX "watch_document_changes_read_at_idx" ON "watch_document_changes" ("read_at");
