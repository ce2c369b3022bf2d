import { inWords, type Part } from '@platform/opinion-fusion';
import { capital } from '../../../format/words.ts';
import type { Model } from '../../../model.ts';
import { voicesOf } from '../sides.ts';
import { alike, further } from './copies.ts';
import { about, itemsSpeak, namesOf, refutedIn, targetsOf, whatSaid } from './said-about.ts';
import { voices, type Speakers } from './speakers.ts';
import type { Standpoint } from './standpoint.ts';

/** `Four independent sources say so, and Curator supports it`: all that speaks for what line one says. */
export function agreement(
  { said, behind, ours: all }: Speakers,
  standpoint: Standpoint,
  model: Model,
): Part[] {
  const { isNo, so, it, ours } = standpoint;
  const saying = voicesOf(said);
  const { independent } = saying;
  const supporters = voices(behind, model);
  const what = (ids: Parameters<typeof whatSaid>[0]) =>
    isNo && independent > 0 ? whatSaid(ids, model) : [it];
  const parts: Part[] = [];
  if (independent > 0)
    parts.push(
      independent === 1 ? 'One source says ' : `${capital(inWords(independent))} independent sources say `,
      so,
      ...(saying.copies > 0 ? [`, and ${further(saying, independent)}`] : []),
    );
  else if (supporters.length === 0)
    parts.push(...(isNo ? ['No source says that it is not so'] : ['No source says ', so, ' directly']));
  if (supporters.length > 0)
    parts.push(
      ...(independent > 0 ? [', and '] : []),
      ...namesOf(supporters, model),
      ...about(ours, supporters.length, what(targetsOf(supporters, model))),
    );
  // Those that say so with a source that supports it, where no other says so.
  const following = voicesOf(independent > 0 ? behind : [...said, ...behind]);
  parts.push(...alike(following, independent + supporters.length));
  const items = itemsSpeak(all, ours, what(refutedIn(all)));
  if (items.length > 0) parts.push(independent + supporters.length === 0 ? ', but ' : ', and ', ...items);
  return parts;
}
