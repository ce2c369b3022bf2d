import { roughText } from '../browser/file-text.ts';

/** Formats that the service imports, as the menu names them. */
export const FORMATS = [
  ['xlsx', 'Workbook (XLSX)'],
  ['claimreview', 'Fact checks (ClaimReview)'],
  ['hypothesis', 'Annotations (Hypothesis)'],
  ['wikidata', 'Statements (Wikidata)'],
  ['stix', 'Threat intelligence (STIX)'],
  ['misp', 'Events (MISP)'],
  ['aif', 'Argument map (AIF)'],
  ['json', 'Investigation (JSON)'],
] as const;
export type FileFormat = (typeof FORMATS)[number][0];

/** Bytes at the beginning of a file that tell what it is. */
const HEAD_BYTES = 64 * 1024;
/** What stands early in a file of each format, in the order in which they are tried. */
const SIGNS: readonly (readonly [FileFormat, RegExp])[] = [
  // A workbook is a zip.
  ['xlsx', /^PK/],
  // JSON-LD, and the response of the Fact Check Tools API.
  ['claimreview', /ClaimReview|"claimReview"\s*:/],
  ['stix', /"spec_version"\s*:\s*"2\.|"type"\s*:\s*"bundle"/],
  ['misp', /"Event"\s*:\s*\{|"Attribute"\s*:\s*\[/],
  ['aif', /arg\.dundee\.ac\.uk\/aif|"nodes"\s*:/],
  ['json', /"research_question"/],
  ['wikidata', /"entities"\s*:|"wikibase|"claims"\s*:\s*\{/],
  ['hypothesis', /"rows"\s*:|"target"\s*:|"uri"\s*:/],
];

/** The format that a file seems to have; null where it looks like none. */
export async function guessFormat(file: Blob): Promise<FileFormat | null> {
  const head = await roughText(file.slice(0, HEAD_BYTES));
  return SIGNS.find(([, sign]) => sign.test(head))?.[0] ?? (/^\s*[[{]/.test(head) ? 'json' : null);
}
