-- JSON of what became of the quotes that are pinned to stored documents; null where a judgement has none.
ALTER TABLE "judgements" ADD COLUMN "quotes" TEXT;
