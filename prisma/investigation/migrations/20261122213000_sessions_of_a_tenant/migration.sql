-- Lists go through the sessions of a whole tenant for callers whom policies let read some of a colleague's.
CREATE INDEX "sessions_of_tenant_by_updated_at_idx" ON "sessions"("tenant_id", "updated_at", "key");
