-- Sessions, their items, members, judgements, jobs and outcomes lie on the node of their tenant. Shares, subscriptions
-- and leases are found without a tenant, by the link or by the clock: they stay on the node that clients
-- speak to, with the tenant beside them, and no foreign key leads from there to another node.
ALTER TABLE "session_entities" DROP CONSTRAINT "session_entities_session_key_fkey";
ALTER TABLE "judgements" DROP CONSTRAINT "judgements_session_key_fkey";
ALTER TABLE "outcome_statements" DROP CONSTRAINT "outcome_statements_session_key_outcome_id_fkey";
ALTER TABLE "outcomes" DROP CONSTRAINT "outcomes_session_key_fkey";
ALTER TABLE "shares" DROP CONSTRAINT "shares_session_key_fkey";
ALTER TABLE "watch_subscriptions" DROP CONSTRAINT "watch_subscriptions_session_key_fkey";
ALTER TABLE "watch_outbox" DROP CONSTRAINT "watch_outbox_session_key_fkey";
ALTER TABLE "judgement_jobs" DROP CONSTRAINT "judgement_jobs_session_key_fkey";
ALTER TABLE "session_members" DROP CONSTRAINT "session_members_session_key_fkey";

DO $$
    DECLARE part TEXT;
    BEGIN
    FOREACH part IN ARRAY ARRAY['session_entities', 'judgements', 'outcomes', 'outcome_statements', 'shares',
        'watch_subscriptions', 'watch_outbox']
    LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN tenant_id TEXT COLLATE "C"', part);
        EXECUTE format('UPDATE %I p SET tenant_id = s.tenant_id FROM sessions s WHERE s.key = p.session_key', part);
        EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET NOT NULL', part);
    END LOOP;
    END $$;

ALTER TABLE "sessions" DROP CONSTRAINT "sessions_pkey", ADD CONSTRAINT "sessions_pkey" PRIMARY KEY ("tenant_id", "key");
ALTER TABLE "session_entities" DROP CONSTRAINT "session_entities_pkey",
    ADD CONSTRAINT "session_entities_pkey" PRIMARY KEY ("tenant_id", "session_key", "kind", "id_hash");
ALTER TABLE "judgements" DROP CONSTRAINT "judgements_pkey",
    ADD CONSTRAINT "judgements_pkey" PRIMARY KEY ("tenant_id", "id");
ALTER TABLE "outcomes" DROP CONSTRAINT "outcomes_pkey",
    ADD CONSTRAINT "outcomes_pkey" PRIMARY KEY ("tenant_id", "session_key", "id");
ALTER TABLE "outcome_statements" DROP CONSTRAINT "outcome_statements_pkey",
    ADD CONSTRAINT "outcome_statements_pkey" PRIMARY KEY ("tenant_id", "session_key", "outcome_id", "position");

SELECT create_distributed_table('sessions', 'tenant_id');
SELECT create_distributed_table('session_entities', 'tenant_id', colocate_with => 'sessions');
SELECT create_distributed_table('judgements', 'tenant_id', colocate_with => 'sessions');
SELECT create_distributed_table('outcomes', 'tenant_id', colocate_with => 'sessions');
SELECT create_distributed_table('outcome_statements', 'tenant_id', colocate_with => 'sessions');
SELECT create_distributed_table('judgement_jobs', 'tenant_id', colocate_with => 'sessions');
SELECT create_distributed_table('session_members', 'tenant_id', colocate_with => 'sessions');

ALTER TABLE "session_entities" ADD CONSTRAINT "session_entities_session_key_fkey"
    FOREIGN KEY ("tenant_id", "session_key") REFERENCES "sessions"("tenant_id", "key") ON DELETE CASCADE;
ALTER TABLE "judgements" ADD CONSTRAINT "judgements_session_key_fkey"
    FOREIGN KEY ("tenant_id", "session_key") REFERENCES "sessions"("tenant_id", "key") ON DELETE CASCADE;
ALTER TABLE "judgement_jobs" ADD CONSTRAINT "judgement_jobs_session_key_fkey"
    FOREIGN KEY ("tenant_id", "session_key") REFERENCES "sessions"("tenant_id", "key") ON DELETE CASCADE;
ALTER TABLE "session_members" ADD CONSTRAINT "session_members_session_key_fkey"
    FOREIGN KEY ("tenant_id", "session_key") REFERENCES "sessions"("tenant_id", "key") ON DELETE CASCADE;
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_session_key_fkey"
    FOREIGN KEY ("tenant_id", "session_key") REFERENCES "sessions"("tenant_id", "key") ON DELETE CASCADE;
ALTER TABLE "outcome_statements" ADD CONSTRAINT "outcome_statements_session_key_outcome_id_fkey"
    FOREIGN KEY ("tenant_id", "session_key", "outcome_id")
    REFERENCES "outcomes"("tenant_id", "session_key", "id") ON DELETE CASCADE;
