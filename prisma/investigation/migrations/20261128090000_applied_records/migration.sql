-- What sources of the session had been declared as before records of sources were applied to them.
ALTER TABLE "sessions" ADD COLUMN "applied_records" JSONB NOT NULL DEFAULT '{}';
