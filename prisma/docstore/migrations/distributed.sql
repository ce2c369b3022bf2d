-- What belongs to an owner lies on one node, by `home`: the owner, also of what they have deleted and so is
-- kept under another name. Keys, secrets and leases are small and found without their owner: they stay on the
-- node that clients speak to.
ALTER TABLE "document_versions" DROP CONSTRAINT "document_versions_document_id_fkey";
ALTER TABLE "version_marks" DROP CONSTRAINT "version_marks_document_id_fkey";
ALTER TABLE "document_search" DROP CONSTRAINT "document_search_document_id_fkey";

ALTER TABLE "documents" ADD COLUMN "home" TEXT COLLATE "C";
ALTER TABLE "owner_usage" ADD COLUMN "home" TEXT COLLATE "C";
ALTER TABLE "document_versions" ADD COLUMN "home" TEXT COLLATE "C";
ALTER TABLE "version_marks" ADD COLUMN "home" TEXT COLLATE "C";
ALTER TABLE "document_search" ADD COLUMN "home" TEXT COLLATE "C";
UPDATE "documents" SET "home" = regexp_replace("owner", E'^deleted\n', '');
UPDATE "owner_usage" SET "home" = regexp_replace("owner", E'^deleted\n', '');
UPDATE "document_versions" v SET "home" = d."home" FROM "documents" d WHERE d."id" = v."document_id";
UPDATE "version_marks" v SET "home" = d."home" FROM "documents" d WHERE d."id" = v."document_id";
UPDATE "document_search" s SET "home" = d."home" FROM "documents" d WHERE d."id" = s."document_id";

ALTER TABLE "documents" DROP CONSTRAINT "documents_pkey", ADD CONSTRAINT "documents_pkey" PRIMARY KEY ("home", "id");
DROP INDEX "documents_owner_filename_key";
CREATE UNIQUE INDEX "documents_owner_filename_key" ON "documents"("home", "owner", "filename");
ALTER TABLE "owner_usage" DROP CONSTRAINT "owner_usage_pkey",
    ADD CONSTRAINT "owner_usage_pkey" PRIMARY KEY ("home", "owner");
ALTER TABLE "document_versions" DROP CONSTRAINT "document_versions_pkey",
    ADD CONSTRAINT "document_versions_pkey" PRIMARY KEY ("home", "document_id", "version");
ALTER TABLE "version_marks" DROP CONSTRAINT "version_marks_pkey",
    ADD CONSTRAINT "version_marks_pkey" PRIMARY KEY ("home", "document_id", "version");
ALTER TABLE "document_search" DROP CONSTRAINT "document_search_pkey",
    ADD CONSTRAINT "document_search_pkey" PRIMARY KEY ("home", "document_id");

SELECT create_distributed_table('documents', 'home');
SELECT create_distributed_table('owner_usage', 'home', colocate_with => 'documents');
SELECT create_distributed_table('document_versions', 'home', colocate_with => 'documents');
SELECT create_distributed_table('version_marks', 'home', colocate_with => 'documents');
SELECT create_distributed_table('document_search', 'home', colocate_with => 'documents');
SELECT create_distributed_table('tombstones', 'owner', colocate_with => 'documents');
SELECT create_distributed_table('idempotent_answers', 'owner', colocate_with => 'documents');

ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_id_fkey"
    FOREIGN KEY ("home", "document_id") REFERENCES "documents"("home", "id") ON DELETE CASCADE;
ALTER TABLE "version_marks" ADD CONSTRAINT "version_marks_document_id_fkey"
    FOREIGN KEY ("home", "document_id") REFERENCES "documents"("home", "id") ON DELETE CASCADE;
ALTER TABLE "document_search" ADD CONSTRAINT "document_search_document_id_fkey"
    FOREIGN KEY ("home", "document_id") REFERENCES "documents"("home", "id") ON DELETE CASCADE;
