-- Rows of refused checks, changes and logins. NULL in all three is a check that was decided, as in every row before.
ALTER TABLE "audit_events" ADD COLUMN "outcome" TEXT, ADD COLUMN "operation" TEXT, ADD COLUMN "detail" TEXT;
