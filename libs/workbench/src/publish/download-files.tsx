import { useState } from 'preact/hooks';
import { slugOf } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { Failure } from '../components/failure.tsx';

/** Formats that the service exports, as the menu names them, with the ending of the file. */
const FORMATS = [
  ['pdf', 'Report (PDF)', 'pdf'],
  ['pdf-brief', 'Report on one page (PDF)', 'brief.pdf'],
  ['zip', 'Everything, with digests (ZIP)', 'zip'],
  ['claimreview', 'Fact checks (ClaimReview)', 'claimreview.json'],
  ['argdown', 'Argument map (Argdown)', 'argdown'],
  ['aif', 'Argument map (AIF, JSON-LD)', 'aif.json'],
  ['prov', 'Provenance (PROV-JSON)', 'prov.json'],
  ['stix', 'Threat intelligence (STIX 2.1)', 'stix.json'],
  ['misp', 'Event (MISP)', 'misp.json'],
  ['json', 'Investigation and result (JSON)', 'json'],
] as const;

/** Downloads the last judgement as a file for another tool. */
export function DownloadFiles({ session: { session_id: id, name } }: { readonly session: Session }) {
  const api = useApi();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState('');

  async function download(format: string, extension: string): Promise<void> {
    setError(null);
    setBusy(format);
    try {
      // By a request and not by a link: a pasted token is sent in a header.
      const file = await api<Blob>('GET', sessionPath(id, 'export', format), { asFile: true });
      const url = URL.createObjectURL(file);
      const link = document.createElement('a');
      link.href = url;
      link.download = `${slugOf(name) || 'investigation'}.${extension}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url));
    } catch (failure) {
      setError(failure);
    }
    setBusy('');
  }

  return (
    <section class="share-form" aria-labelledby="download-title">
      <h3 id="download-title">Download</h3>
      <p class="field-help">The last judgement as a file for other tools.</p>
      <div class="form-actions">
        {FORMATS.map(([format, label, extension]) => (
          <button
            key={format}
            type="button"
            disabled={busy !== ''}
            onClick={() => void download(format, extension)}
          >
            {busy === format ? 'Preparing …' : label}
          </button>
        ))}
      </div>
      <Failure error={error} />
    </section>
  );
}
