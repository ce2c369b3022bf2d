-- Since when the subscriber is known to have ended: subscriptions are erased some time after.
ALTER TABLE "watch_subscriptions" ADD COLUMN "ended_at" TIMESTAMPTZ(3);
