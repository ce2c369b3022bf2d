/** Parses origins separated by commas. Throws for anything else: an origin is scheme, host and port only. */
export function parseOrigins(text: string): string[] {
  return text.split(',').map((part) => {
    const origin = part.trim();
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error(
        `must be origins such as https://app.example, separated by commas: \`${origin}\` is none`,
      );
    }
    return origin;
  });
}
