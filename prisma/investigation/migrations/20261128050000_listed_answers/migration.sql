-- What lists show of a session: how many claims it has, and what its last judgement answers. Rows of before get
-- both when they are written or listed, so that nothing is rewritten here.
ALTER TABLE "sessions" ADD COLUMN "claim_count" INTEGER;
ALTER TABLE "judgements" ADD COLUMN "answer" TEXT;
