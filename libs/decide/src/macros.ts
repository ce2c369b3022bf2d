import type { RequestContext } from './types.ts';

/** The two macros of the contract, by the name a policy writes between `$` and `()`. */
export type MacroName = 'current_user' | 'resource_owner';

/** A rule value cut at its macros: literal text in the policy's engine syntax, or a macro. */
export type TemplatePart = string | { readonly macro: MacroName };

export interface Template {
  readonly parts: readonly TemplatePart[];
  readonly usesUser: boolean;
  readonly usesOwner: boolean;
  /** First `$name()` that is not a macro, without its sigils; such a pattern is refused. */
  readonly unknown: string | null;
}

/** The values of the macros in one check; undefined = unresolved. */
export interface MacroValues {
  readonly user: string | undefined;
  readonly owner: string | undefined;
}

const MACRO = /\$([A-Za-z_][A-Za-z0-9_]*)\(\)/g;

/** Cuts a rule value at its macros. Never throws; a pattern without `$name()` is one literal part. */
export function readTemplate(pattern: string): Template {
  const parts: TemplatePart[] = [];
  let usesUser = false;
  let usesOwner = false;
  let unknown: string | null = null;
  let end = 0;
  // Almost no pattern holds a macro, and compiling a large set runs this for every rule.
  if (pattern.includes('$')) {
    for (const found of pattern.matchAll(MACRO)) {
      const name = found[1] as string;
      if (name === 'current_user') usesUser = true;
      else if (name === 'resource_owner') usesOwner = true;
      else {
        unknown ??= name;
        continue;
      }
      if (found.index > end) parts.push(pattern.slice(end, found.index));
      parts.push({ macro: name });
      end = found.index + found[0].length;
    }
  }
  if (end < pattern.length || parts.length === 0) parts.push(pattern.slice(end));
  return { parts, usesUser, usesOwner, unknown };
}

/**
 * `$current_user()` is the request's `subject`, `$resource_owner()` its `owner`. Either is unresolved when
 * absent or multi-valued: an array is multi-valued whatever its length, so that the answer does not hang on
 * how many values it happens to hold.
 */
export function resolveMacros(context: RequestContext): MacroValues {
  const subject = context.get('subject');
  const owner = context.get('owner');
  return {
    user: typeof subject === 'string' ? subject : undefined,
    owner: typeof owner === 'string' ? owner : undefined,
  };
}

/** Value of one macro, undefined when unresolved. */
export function macroValue(name: MacroName, values: MacroValues): string | undefined {
  return name === 'current_user' ? values.user : values.owner;
}

/** The template with every macro replaced by `write(value)`; every macro must be resolved. */
export function expand(
  parts: readonly TemplatePart[],
  values: MacroValues,
  write: (text: string) => string,
): string {
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : write(macroValue(part.macro, values) as string);
  }
  return text;
}
