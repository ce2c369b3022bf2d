-- Events of one session are numbered in the order in which they are kept, over all its subscriptions: what a
-- stream of events goes by.
ALTER TABLE "watch_events" ADD COLUMN "sequence" BIGSERIAL NOT NULL;
CREATE INDEX "watch_events_subscription_id_sequence_idx" ON "watch_events" ("subscription_id", "sequence");
