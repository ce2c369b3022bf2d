-- Ids of a stream count the events of its session, and no longer those of all tenants. Sessions with events
-- continue behind the ids that their receivers know.
ALTER TABLE "sessions" ADD COLUMN "last_event" BIGINT NOT NULL DEFAULT 0;
UPDATE "sessions" SET "last_event" = (SELECT "last_value" FROM "watch_events_sequence_seq") WHERE "watched";
