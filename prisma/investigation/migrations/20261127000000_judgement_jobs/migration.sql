-- Judgements that were asked for with `Prefer: respond-async`, until they are made.
CREATE TABLE "judgement_jobs" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "id" UUID NOT NULL,
  "session_key" BIGINT NOT NULL,
  "requested_by" TEXT NOT NULL,
  "lease" TEXT,
  "state" TEXT NOT NULL,
  "is_offered" BOOLEAN,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3),
  "progress" TEXT,
  "judgement_id" UUID,
  "problem" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "judgement_jobs_pkey" PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "judgement_jobs_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "sessions" ("key")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "judgement_jobs_tenant_id_is_offered_key" ON "judgement_jobs" ("tenant_id", "is_offered");
CREATE INDEX "judgement_jobs_session_key_created_at_id_idx" ON "judgement_jobs" ("session_key", "created_at", "id");
CREATE INDEX "judgement_jobs_tenant_id_state_created_at_id_idx"
  ON "judgement_jobs" ("tenant_id", "state", "created_at", "id");
CREATE INDEX "judgement_jobs_state_due_at_idx" ON "judgement_jobs" ("state", "due_at");
CREATE INDEX "judgement_jobs_finished_at_idx" ON "judgement_jobs" ("finished_at");
