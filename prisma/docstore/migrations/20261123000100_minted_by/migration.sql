-- Who made a key: what a leaked key has made is found by it.
ALTER TABLE "api_keys" ADD COLUMN "minted_by" TEXT;
