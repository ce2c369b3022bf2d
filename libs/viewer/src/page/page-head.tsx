import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  /** Path of the styles. */
  readonly styles: string;
  /** Elements of the head that only this page has. */
  readonly children?: ComponentChildren;
}

/** The head of every page: no page is for search engines. */
export function PageHead({ title, styles, children }: Props) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="stylesheet" href={styles} />
      {children}
    </head>
  );
}
