-- Since when a subscription fires and delivers nothing.
ALTER TABLE "watch_subscriptions" ADD COLUMN "paused_at" TIMESTAMPTZ(3);
