-- Rows of the audit lie on the node of their tenant, with the head of its chain. Everything else is small, is
-- asked for by id alone, and is kept in memory by every replica: it stays on the node that clients speak to.
ALTER TABLE "audit_events" DROP CONSTRAINT "audit_events_pkey";
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_pkey" PRIMARY KEY ("tenant_id", "id", "time");
SELECT create_distributed_table('audit_chains', 'tenant_id');
SELECT create_distributed_table('audit_events', 'tenant_id', colocate_with => 'audit_chains');
