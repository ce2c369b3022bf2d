-- Subscriptions to changes of the policies of a domain.
ALTER TABLE "watch_subscriptions" ADD COLUMN "policies_of" TEXT, ADD COLUMN "policies_since" BIGINT;
CREATE INDEX "watch_subscriptions_policies_of_idx" ON "watch_subscriptions" ("policies_of");
