-- Where a version stood that is no longer kept: scans that began before it was replaced go by it.
CREATE TABLE "version_marks" (
    "document_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "filename" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "version_marks_pkey" PRIMARY KEY ("document_id", "version")
);
CREATE INDEX "version_marks_replaced_at_idx" ON "version_marks"("replaced_at");
ALTER TABLE "version_marks" ADD CONSTRAINT "version_marks_document_id_fkey"
    FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
