import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { SourceType } from '@platform/opinion-fusion';
import { guessSourceType } from './guess-source-type.ts';

const NAMES: Readonly<Record<SourceType | 'none', readonly string[]>> = {
  Journalist: [
    'Press agency',
    'Reuters',
    'AP',
    'ap',
    'AFP',
    'dpa',
    'TASS',
    'Associated Press',
    'Agence France-Presse',
    'Deutsche Presse-Agentur',
    'Xinhua News Agency',
    'Anadolu News Agency',
    'Press Association',
    'Kyodo News',
    'The Daily Herald',
    'The New York Times',
    'Washington Post',
    'The Wall Street Journal',
    'The Guardian',
    'Süddeutsche Zeitung',
    'Der Spiegel',
    'Le Monde',
    'El País',
    'La Repubblica',
    'The Economist',
    'Bloomberg',
    'Al Jazeera',
    'BBC News',
    'Court TV',
    'Bureau of Investigative Journalism',
    'Local newspaper',
  ],
  Regulator: [
    'Ministry of Health',
    'European Medicines Agency',
    'Environmental Protection Agency',
    'International Atomic Energy Agency',
    'Federal Aviation Administration',
    'National Transportation Safety Board',
    'NTSB',
    'FDA',
    'WHO',
    'World Health Organization',
    'European Commission',
    'Financial Conduct Authority',
    'Supreme Court',
    'Metropolitan Police',
  ],
  Expert: [
    'Forensic Institute',
    'Dr. Ada Byron',
    'University of Oxford',
    'Lawrence Livermore National Laboratory',
    'Journal of Applied Physics',
    'The Lancet',
  ],
  Analyst: ['Moody Ratings', 'Credit rating agency', 'Gartner', 'JPMorgan Securities'],
  Institutional: [
    'Fire Department',
    'Press Office of the City',
    'White House press secretary',
    'Post Office',
    'PR agency',
    'Advertising agency',
    'Smithsonian Institution',
    'Red Cross',
    'Deutsche Bank',
    'City Council',
  ],
  Insider: ['A former employee', 'Eyewitness', 'Whistleblower at the plant'],
  Anonymous: ['Anonymous blog', 'Unnamed official'],
  SocialMedia: ['@smoke_watch', 'X user smoke', 'Facebook group of neighbors'],
  Troll: ['Troll farm'],
  none: ['Maria', 'Drake', 'The man who saw it', 'Sec. Miller'],
};
const CASES = Object.entries(NAMES).flatMap(([type, names]) => names.map((name) => [name, type] as const));

describe('the type that the name of a source suggests', () => {
  covers('INV-B.10');
  it('what was posted on a network is social media, whatever the network, and Post is a newspaper by name', () => {
    covers('INV-IMPORT.67');
    const networks =
      'X Threads Bluesky TikTok Facebook Instagram Telegram VK Weibo Gab Substack LinkedIn WhatsApp Viral';
    const kinds = 'post posts user users video videos message messages';
    const names = [...networks.split(' '), 'Truth Social', 'Multiple X'].flatMap((network) =>
      kinds.split(' ').map((kind) => `${network} ${kind}`),
    );
    const others = [
      'Viral posts',
      'Posts on X',
      'Social media posts',
      'Internet users',
      'Online posts',
      'Koo post',
    ];
    expect([...names, ...others].filter((name) => guessSourceType(name) !== 'SocialMedia')).toEqual([]);
    const papers = [
      'Washington Post',
      'The New York Post',
      'South China Morning Post',
      'the huffington post',
      'The Post',
    ];
    expect(papers.filter((name) => guessSourceType(name) !== 'Journalist')).toEqual([]);
    expect(['Deutsche Post', 'Post Office', 'Blog post'].map(guessSourceType)).toEqual([
      null,
      'Institutional',
      'Anonymous',
    ]);
  });

  it.each(CASES)('the name %p of a source suggests the type %p', (name, type) => {
    expect(guessSourceType(name) ?? 'none').toBe(type);
  });
});
