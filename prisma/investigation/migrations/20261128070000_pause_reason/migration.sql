-- Why the receiver of a webhook had its subscription paused.
ALTER TABLE "watch_subscriptions" ADD COLUMN "pause_reason" TEXT;
