-- Colleagues whom the owner of a session has invited to it.
CREATE TABLE "session_members" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "session_key" BIGINT NOT NULL,
  "user_id" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "lease" TEXT NOT NULL,
  "invited_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "session_members_pkey" PRIMARY KEY ("tenant_id", "session_key", "user_id"),
  CONSTRAINT "session_members_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "sessions" ("key")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "session_members_tenant_id_user_id_idx" ON "session_members" ("tenant_id", "user_id");
CREATE INDEX "session_members_session_key_idx" ON "session_members" ("session_key");
CREATE INDEX "session_members_lease_idx" ON "session_members" ("lease");
