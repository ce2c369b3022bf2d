-- A rename leaves a tombstone under the old filename, for those who may follow that one and not the new one.
ALTER TABLE "tombstones" ADD COLUMN "renamed_to" TEXT COLLATE "C";
CREATE INDEX "tombstones_owner_document_id_idx" ON "tombstones"("owner", "document_id");
