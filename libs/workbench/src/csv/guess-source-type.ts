import type { SourceType } from '@platform/opinion-fusion';

/** Words of a source's name by the type they suggest; the first that fits decides. */
const SIGNS: readonly (readonly [type: SourceType, words: RegExp])[] = [
  ['Troll', /\btroll|\bbot(net)?\b/i],
  [
    'SocialMedia',
    /^@|\b(twitter|x user|facebook|reddit|tiktok|instagram|mastodon|youtube|telegram|tweet|social media)/i,
  ],
  ['Anonymous', /\b(anonymous|unnamed|unknown|unidentified|source close|blog)/i],
  ['Insider', /\b(whistle-?blower|insider|employee|eye-?witness|witness|resident|former|survivor)/i],
  ['Institutional', /\b(press office|press release|spokes(man|woman|person)|public relations)/i],
  [
    'Expert',
    /\b(institute|university|laborator(y|ies)|professor|prof\b|dr\b|scientist|forensic|academy|research|engineer)/i,
  ],
  [
    'Regulator',
    /\b(authority|regulator|commission|ministry|inspectorate|court|tribunal|parliament|police|agency|inquest|inquiry|census|FDA|FAA|EPA|NTSB|SEC|WHO|IAEA)\b/i,
  ],
  [
    'Journalist',
    /\b(times|post|herald|daily|news|newspaper|tribune|gazette|journal|guardian|telegraph|press|radio|tv|bbc|cnn|reuters|ap|afp|magazine|chronicle|observer|mirror|sun|weekly|reporter|journalist|zeitung|monde)\b/i,
  ],
  ['Analyst', /\b(analyst|analytics|consult|capital|securities|ratings?|advisory|think tank)/i],
  [
    'Institutional',
    /\b(department|office|council|company|corp|inc|ltd|llc|gmbh|bank|association|union|foundation|group|society|museum|operator|airline|brigade|hospital|city|municipality|government)\b/i,
  ],
];

/**
 * The type of source that a name suggests, such as Journalist for “The Daily Herald”; null where it suggests
 * none. Pure.
 */
export function guessSourceType(name: string): SourceType | null {
  return SIGNS.find(([, words]) => words.test(name))?.[0] ?? null;
}
