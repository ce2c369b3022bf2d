import { embedSnippet } from '@platform/viewer/browser';
import { Copied } from '../components/copied.tsx';

/** The link to a public page, its feed, and the HTML that puts its card into another site. */
export function ShareLink({ url }: { readonly url: string }) {
  return (
    <div class="share-link">
      <Copied label="Link" value={url} copy="Copy link">
        <a href={url} target="_blank" rel="noreferrer">
          Open the page
        </a>
      </Copied>
      <Copied
        label="Feed of changes"
        value={`${url}/feed.atom`}
        copy="Copy feed"
        help="Readers who follow it hear of each publication that changed something (Atom)."
      />
      <Copied
        label="To show it in another site"
        value={embedSnippet(url)}
        copy="Copy HTML"
        help="The answer with a link to the page, in a frame. Hiding the page empties it."
      />
    </div>
  );
}
