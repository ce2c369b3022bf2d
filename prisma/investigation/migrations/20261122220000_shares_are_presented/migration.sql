-- JSON of how a share is presented: the finding that answers, patterns of sentences, byline, publisher, contact.
ALTER TABLE "shares" ADD COLUMN "presentation" TEXT;
