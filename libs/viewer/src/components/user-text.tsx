import { visible } from '../format/text.ts';

/**
 * A run of text that a user wrote, inside a sentence. Its direction is its own: whatever direction marks it holds end
 * with it, and what follows stays where it is.
 */
export function UserText({ text, class: className }: { readonly text: string; readonly class?: string }) {
  return (
    <bdi dir="auto" class={className}>
      {visible(text)}
    </bdi>
  );
}

/** Text that a user wrote, as paragraphs of their own direction; empty lines part them. */
export function UserParagraphs({ text }: { readonly text: string }) {
  return (
    <>
      {visible(text)
        .split(/\n\s*\n/)
        .map((paragraph, index) => (
          <p key={index} dir="auto" class="user-text">
            {paragraph}
          </p>
        ))}
    </>
  );
}
