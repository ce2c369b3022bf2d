-- What searches look through. In the order of code points, which searches compute ranges in.
CREATE TABLE "resources" (
    "domain_id" UUID NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "attributes" JSONB NOT NULL,

    CONSTRAINT "resources_pkey" PRIMARY KEY ("domain_id", "path")
);

ALTER TABLE "resources" ADD CONSTRAINT "resources_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "domains"("id") ON DELETE CASCADE ON UPDATE CASCADE;
