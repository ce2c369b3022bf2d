import { linkPieces } from '../format/links.ts';
import { visible } from '../format/text.ts';

/**
 * A run of text that a user wrote, inside a sentence. Its direction is its own: whatever direction marks it
 * holds end with it, and what follows stays where it is.
 */
export function UserText({ text, class: className }: { readonly text: string; readonly class?: string }) {
  return (
    <bdi dir="auto" class={className}>
      {visible(text)}
    </bdi>
  );
}

/**
 * Text that a user wrote, as paragraphs of their own direction; empty lines part them, and addresses are
 * links.
 */
export function UserParagraphs({ text }: { readonly text: string }) {
  return (
    <>
      {visible(text)
        .split(/\n\s*\n/)
        .map((paragraph, index) => (
          <p key={index} dir="auto" class="user-text">
            <LinkedText text={paragraph} />
          </p>
        ))}
    </>
  );
}

/**
 * Text that a user wrote with its http and https addresses as links, which vouch for nothing and tell the
 * other site nothing.
 */
export function LinkedText({ text }: { readonly text: string }) {
  return (
    <>
      {linkPieces(visible(text)).map((piece, index) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <a key={index} href={piece.url} rel="noopener nofollow" target="_blank">
            {piece.url}
          </a>
        ),
      )}
    </>
  );
}
