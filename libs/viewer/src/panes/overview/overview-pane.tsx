import type { PaneProps } from '../../components/pane-props.ts';

export function OverviewPane({ model }: PaneProps) {
  return <p>{model.claims.length} claims.</p>;
}
