import { isWebAddress } from '@platform/opinion-fusion';
import { hostOf } from '../format/links.ts';
import { instant } from '../format/times.ts';
import type { ShareDocument } from '../snapshot.ts';

/** Where a stored document was copied from, when, in which version, and the digest of its bytes. */
export function Digest({
  shown: { url, added_at, version, sha256, pdf_sha256 },
}: {
  readonly shown: Pick<ShareDocument, 'url' | 'added_at' | 'version' | 'sha256'> & {
    readonly pdf_sha256?: string | null;
  };
}) {
  return (
    <p class="document-facts">
      Version {version}
      {added_at !== null && ` of a copy stored ${instant(added_at)}`}
      {url !== null && isWebAddress(url) && (
        <>
          {' '}
          from{' '}
          <a href={url} rel="noopener nofollow" target="_blank">
            {hostOf(url)}
          </a>
        </>
      )}
      . SHA-256 of {pdf_sha256 ? 'the text that was read from its PDF file' : 'its bytes'}:{' '}
      <code>{sha256}</code>
      {pdf_sha256 && (
        <>
          , of the PDF file itself: <code>{pdf_sha256}</code>
        </>
      )}
    </p>
  );
}
