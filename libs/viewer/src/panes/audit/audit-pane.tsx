import type { PaneProps } from '../../components/pane-props.ts';

export function AuditPane({ model }: PaneProps) {
  return <p>{model.claims.length} claims.</p>;
}
