-- Subscriptions on sessions, what they have yet to look at, and what they fired.
ALTER TABLE "sessions" ADD COLUMN "watched" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "watch_subscriptions" (
  "id" UUID NOT NULL,
  "session_key" BIGINT NOT NULL,
  "subscriber_id" TEXT NOT NULL,
  "lease" TEXT,
  "request" TEXT NOT NULL,
  "webhook_url" TEXT,
  "secret" TEXT,
  "state" TEXT,
  "since_sequence" BIGINT NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "last_number" BIGINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "watch_subscriptions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "watch_subscriptions_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "sessions" ("key")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "watch_subscriptions_session_key_idx" ON "watch_subscriptions" ("session_key");
CREATE INDEX "watch_subscriptions_due_at_idx" ON "watch_subscriptions" ("due_at");

CREATE TABLE "watch_outbox" (
  "sequence" BIGSERIAL NOT NULL,
  "session_key" BIGINT NOT NULL,
  "judgement_id" UUID,
  "subscription_id" UUID,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "watch_outbox_pkey" PRIMARY KEY ("sequence"),
  CONSTRAINT "watch_outbox_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "sessions" ("key")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "watch_outbox_session_key_sequence_idx" ON "watch_outbox" ("session_key", "sequence");

CREATE TABLE "watch_events" (
  "id" UUID NOT NULL,
  "subscription_id" UUID NOT NULL,
  "number" BIGINT NOT NULL,
  "rule" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "delivery" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(3),
  "delivered_at" TIMESTAMPTZ(3),
  "problem" TEXT,
  CONSTRAINT "watch_events_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "watch_events_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "watch_subscriptions" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "watch_events_subscription_id_number_key" ON "watch_events" ("subscription_id", "number");
CREATE INDEX "watch_events_delivery_next_attempt_at_idx" ON "watch_events" ("delivery", "next_attempt_at");
CREATE INDEX "watch_events_at_idx" ON "watch_events" ("at");
