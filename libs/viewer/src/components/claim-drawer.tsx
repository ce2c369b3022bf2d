import type { Claim, Model } from '../model.ts';
import { ClaimRecord } from './claim-record.tsx';

interface Props {
  readonly claim: Claim;
  readonly model: Model;
  readonly close: () => void;
}

/** Everything about one claim, over the pane that it was opened from. */
export function ClaimDrawer({ claim, model, close }: Props) {
  return (
    <div>
      <button type="button" class="drawer-close" onClick={close}>
        Close
      </button>
      <ClaimRecord claim={claim} model={model} headingId="claim-drawer-title" />
    </div>
  );
}
