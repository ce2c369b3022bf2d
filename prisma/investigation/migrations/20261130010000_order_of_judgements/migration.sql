-- Which judgement of a session is the last follows from what each had read, not from the clocks of replicas. Those
-- that there are have the revision 0, and their time and id order them, as before.
ALTER TABLE "sessions" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "judged_revision" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "judgements" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "shares" ADD COLUMN "judged_revision" BIGINT;
CREATE INDEX "judgements_session_key_revision_judged_at_id_idx"
    ON "judgements" ("session_key", "revision", "judged_at", "id");
DROP INDEX "judgements_session_key_judged_at_id_idx";
