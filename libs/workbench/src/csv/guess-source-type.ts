import type { SourceType } from '@platform/opinion-fusion';

/** Newspapers called Post: what else is so called is mostly a post on a network, or a post office. */
const KNOWN_POSTS =
  /\b(washington|new york|denver|huff(ington)?|national|financial|jakarta|bangkok|jerusalem|houston|palm beach|morning|evening|sunday|saturday|daily|kathmandu|cape|birmingham|bristol|liverpool|yorkshire|nottingham|dundee|lahore|phnom penh|yangon|zimbabwe|cincinnati|connecticut|rheinische|jyllands|stuttgarter) ?-?(post|posten)\b|^(the )?post$|\bpost (and courier|gazette|standard|crescent|tribune)\b|\bpostimees\b/i;

/**
 * Words of a source's name by the type they suggest; the first that fits decides. Abbreviations that are
 * words, too, count in capitals alone.
 */
const SIGNS: readonly (readonly [type: SourceType, words: RegExp])[] = [
  ['Troll', /\btroll|\bbot(net)?\b/i],
  [
    'SocialMedia',
    /^@|\b(twitter|x user|facebook|reddit|tiktok|instagram|mastodon|youtube|telegram|tweet|social media)/i,
  ],
  [
    'SocialMedia',
    /\b(viral|bluesky|whatsapp|truth social|linkedin|snapchat|weibo|wechat|vkontakte|odnoklassniki|tumblr|pinterest|discord|twitch|parler|rumble|bitchute|douyin|sharechat|kakaotalk|viber|4chan|8kun|social network|social posts?)\b/i,
  ],
  // Names of networks that are words or letters, too.
  [
    'SocialMedia',
    /^(?:an? |the |several |multiple |various |some )?(?:x|x\.com|threads|vk|gab|substack|signal|line|koo|imo|meta|medium|quora|internet|online|web)(?: social)? (?:posts?|users?|videos?|messages?|accounts?|threads?|photos?|images?|memes?|chats?|channels?|groups?|clips?|reels?)\b/i,
  ],
  ['SocialMedia', /\bon X\b|(?<!\b[Bb]log )\bposts\b/],
  ['Journalist', KNOWN_POSTS],
  // A newspaper has a capital letter.
  ['SocialMedia', /(?<!\b[Bb]log )\bpost$/],
  ['Anonymous', /\b(anonymous|unnamed|unknown|unidentified|source close|blog)/i],
  ['Insider', /\b(whistle-?blower|insider|employee|eye-?witness|witness|resident|former|survivor)/i],
  [
    'Institutional',
    /\b(press (office|officer|release|secretary)|spokes(man|woman|person)|public relations|post office)\b/i,
  ],
  ['Institutional', /\b(PR|advertising|marketing|travel|estate|staffing|recruitment|talent) agency\b/i],
  ['Analyst', /\b(credit )?ratings? agency\b/i],
  // Before the agencies, bureaus and courts of the state, and before journals of scholars.
  [
    'Journalist',
    /\b((press|news|wire|photo) (agency|association|service|bureau)|newspaper|newsroom|journalis[mt]|reporter|correspondent|associated press|agence france-presse|presse-?agentur|nachrichtenagentur|reuters|xinhua|itar-tass|kyodo|wall street journal|propublica|tv|television)/i,
  ],
  [
    'Journalist',
    /\b(AP|AFP|DPA|dpa|UPI|ANSA|EFE|TASS|PA Media|APA|BBC|CNN|NPR|NBC|CBS|ABC|PBS|NHK|ARD|ZDF)\b/,
  ],
  ['Journalist', /^(ap|afp|upi|ansa|efe|tass|bbc|cnn|npr)$/i],
  [
    'Expert',
    /\b(institute|university|laborator(y|ies)|professor|prof\b|dr\b|scientist|forensic|academy|research|engineer|(journal|annals|proceedings|transactions) of|the lancet|(scientific|medical) journal)/i,
  ],
  [
    'Regulator',
    /\b(authority|regulator|commission|ministry|inspectorate|court|tribunal|parliament|police|agency|inquest|inquiry|census|safety board|(aviation|drug|health|food|safety) administration|world health organi[sz]ation)\b/i,
  ],
  ['Regulator', /\b(FDA|FAA|EPA|NTSB|SEC|WHO|IAEA|EMA|EASA|FTC|FCC)\b/],
  [
    'Journalist',
    /\b(times|herald|daily|news|tribune|gazette|journal|guardian|telegraph|press|radio|magazine|chronicle|observer|mirror|sun|weekly|zeitung|spiegel|monde|figaro|el país|el pais|repubblica|corriere|economist|independent|bloomberg|al jazeera)\b/i,
  ],
  [
    'Analyst',
    /\b(analyst|analytics|consult|capital|securities|ratings?|advisory|think tank|gartner|mckinsey)/i,
  ],
  [
    'Institutional',
    /\b(department|office|council|company|corp|corporation|inc|ltd|llc|gmbh|plc|bank|association|union|foundation|institution|group|society|museum|operator|airlines?|brigade|hospital|city|municipality|government|red cross)\b/i,
  ],
];

/**
 * The type of source that a name suggests, such as Journalist for “The Daily Herald”; null where it suggests
 * none. Pure.
 */
export function guessSourceType(name: string): SourceType | null {
  return SIGNS.find(([, words]) => words.test(name))?.[0] ?? null;
}
