import { UnreadableFile, type Imported } from './imported.ts';
import { readInvestigation } from './investigation-json.ts';

/**
 * The investigation that one of our exports carries in base64; null for any other attachment. Throws
 * UnreadableFile with the problems of an investigation that is none, each under the path of the attachment.
 */
export function readAttached(base64: unknown, path: string): Imported | null {
  if (typeof base64 !== 'string') return null;
  const bytes = Buffer.from(base64, 'base64');
  if (!bytes.subarray(0, 1024).includes('"research_question"')) return null;
  try {
    return readInvestigation(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UnreadableFile(`the attached investigation (${path}): ${error.message}`);
  }
}
