-- What turned out to be true of a session's questions, and what the last judgement before had said of it.
CREATE TABLE "outcomes" (
  "session_key" BIGINT NOT NULL,
  "id" UUID NOT NULL,
  "body" TEXT NOT NULL,
  "known_at" TIMESTAMPTZ(3) NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL,
  "forecast" TEXT,
  "chance" DOUBLE PRECISION,
  "was_right" BOOLEAN,
  "domain" TEXT,
  CONSTRAINT "outcomes_pkey" PRIMARY KEY ("session_key", "id"),
  CONSTRAINT "outcomes_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "sessions" ("key")
    ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "outcome_statements" (
  "session_key" BIGINT NOT NULL,
  "outcome_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "source_hash" UUID NOT NULL,
  "source" TEXT NOT NULL,
  "source_folded" TEXT NOT NULL,
  "reliability" DOUBLE PRECISION NOT NULL,
  "was_right" BOOLEAN NOT NULL,
  CONSTRAINT "outcome_statements_pkey" PRIMARY KEY ("session_key", "outcome_id", "position"),
  CONSTRAINT "outcome_statements_session_key_outcome_id_fkey" FOREIGN KEY ("session_key", "outcome_id")
    REFERENCES "outcomes" ("session_key", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
