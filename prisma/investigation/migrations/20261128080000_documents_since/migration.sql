-- Where the changes of the tenant's documents stood when the subscription was made.
ALTER TABLE "watch_subscriptions" ADD COLUMN "documents_since" BIGINT;
