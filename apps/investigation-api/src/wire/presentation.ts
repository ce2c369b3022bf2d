import type { Share } from '../store/session-store.ts';
import type { SharePresentation } from './share-schema.ts';

/** In the order of the wire. */
export const PRESENTATION_FIELDS = ['answer_finding', 'patterns', 'byline', 'publisher', 'contact'] as const;

/** How a share is presented; null for what is not set. */
export type PresentationFields = {
  readonly [Name in (typeof PRESENTATION_FIELDS)[number]]: NonNullable<SharePresentation[Name]> | null;
};

/** How a share of the store is presented, where the session has one. */
export const presentationOf = (share: Pick<Share, 'presentation'> | 'no_session' | 'no_share') =>
  presentationFields(typeof share === 'string' ? null : share.presentation);

/** All fields of how a share is presented, from its stored JSON; null for those that are not set. */
export function presentationFields(stored: string | null): PresentationFields {
  const kept = (stored === null ? {} : JSON.parse(stored)) as SharePresentation;
  return Object.fromEntries(
    PRESENTATION_FIELDS.map((name) => [name, kept[name] ?? null]),
  ) as unknown as PresentationFields;
}
