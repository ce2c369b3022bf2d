-- As much of a name as an index takes stands in every index of lists: what a name filter finds is then counted off on the index
-- alone. The indexes before did the same without it.
CREATE INDEX "sessions_by_updated_at_idx"
    ON "sessions"("list_hash", "updated_at", "key", "judged_at", "name_prefix");
CREATE INDEX "sessions_by_created_at_idx"
    ON "sessions"("list_hash", "created_at", "key", "updated_at", "judged_at", "name_prefix");
DROP INDEX "sessions_list_hash_updated_at_key_judged_at_idx";
DROP INDEX "sessions_list_hash_created_at_key_updated_at_judged_at_idx";

-- Both are partial, for Prisma drops whole ones that it cannot express: trigrams find parts of names, and names that are longer
-- than their prefix are few.
CREATE INDEX "sessions_list_hash_name_prefix_idx" ON "sessions"
    USING GIN ("list_hash", "name_prefix" gin_trgm_ops) WHERE "list_hash" IS NOT NULL;
CREATE INDEX "sessions_long_names_idx" ON "sessions"("list_hash") WHERE char_length("name_prefix") = 500;
DROP INDEX "sessions_list_hash_name_folded_idx";
