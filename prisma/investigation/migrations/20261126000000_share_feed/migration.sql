-- What the feed of a share tells: when it was published with something changed, and in how many questions.
ALTER TABLE "shares" ADD COLUMN "feed_state" TEXT;

CREATE TABLE "share_entries" (
  "id" UUID NOT NULL,
  "sequence" BIGSERIAL NOT NULL,
  "share_uuid" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "changes" TEXT NOT NULL,
  CONSTRAINT "share_entries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "share_entries_share_uuid_fkey" FOREIGN KEY ("share_uuid") REFERENCES "shares" ("share_uuid")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "share_entries_share_uuid_sequence_idx" ON "share_entries" ("share_uuid", "sequence");
