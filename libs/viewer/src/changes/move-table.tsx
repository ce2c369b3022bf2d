import { statement, textOf, type ComparedVerdict } from '@platform/opinion-fusion';
import { UserText } from '../components/user-text.tsx';
import { counted, percent } from '../format/numbers.ts';
import { questionSubject, readable, shownValue } from '../format/words.ts';
import type { VerdictMove } from '../snapshot.ts';
import { ItemWords } from './changed-items.tsx';
import { causeWords, roundedParts, sideWords, signedPoints, unmovedWords } from './move-words.ts';

/** Items that a part names; the rest are counted. */
const NAMED = 3;
const CHANGED = { added: 'added', removed: 'removed', replaced: 'changed' };

/** Verdicts that moved: both judgements side by side, and the parts that the move is made of. */
export function MoveTable({
  moves,
  payload,
  patterns = {},
}: {
  readonly moves: readonly VerdictMove[];
  readonly payload: object;
  /** The author's sentences by predicate. */
  readonly patterns?: Patterns | undefined;
}) {
  return (
    <table class="data-table move-table">
      <caption>Verdicts that moved; the parts of a move sum to it</caption>
      <thead>
        <tr>
          <th scope="col">Verdict</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">Move</th>
          <th scope="col">Because of</th>
        </tr>
      </thead>
      <tbody>
        {moves.map((move, row) => {
          const rounded = roundedParts(move);
          return (
            <tr key={row}>
              <th scope="row">
                <UserText text={headText(move, patterns)} />
              </th>
              <td data-title="Before">
                <Side verdict={move.before} other={move.after} move={move} patterns={patterns} />
              </td>
              <td data-title="After">
                <Side verdict={move.after} other={move.before} move={move} patterns={patterns} />
              </td>
              <td data-title="Move" class="short">
                {move.before && move.after
                  ? rounded.move === 0
                    ? unmovedWords(move.before, move.after)
                    : signedPoints(rounded.move)
                  : ''}
              </td>
              <td data-title="Because of">
                <ul>
                  {move.parts.map(
                    (part, index) =>
                      rounded.parts[index] !== 0 && (
                        <li key={index}>
                          {signedPoints(rounded.parts[index]!)}: {causeWords(part)}
                          {part.items.slice(0, NAMED).map((change) => (
                            <span key={`${change.kind} ${change.id}`} class="move-item">
                              {CHANGED[change.change]}: <ItemWords change={change} payload={payload} />
                            </span>
                          ))}
                          {part.item_count > NAMED && part.items.length > 0 && (
                            <span class="move-item">and {counted(part.item_count - NAMED, 'more item')}</span>
                          )}
                        </li>
                      ),
                  )}
                </ul>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type Patterns = Readonly<Record<string, string>>;

function sentence(
  { subject_name: subject, predicate }: VerdictMove,
  patterns: Patterns,
  value: string | null,
  isDenied = false,
): string {
  const pattern = Object.hasOwn(patterns, predicate) ? patterns[predicate] : undefined;
  return textOf(statement({ subject, predicate, value, pattern }, { isDenied }));
}

/** That the followed value is so; comparisons that were published before sentences were kept have none. */
function headText(move: VerdictMove, patterns: Patterns): string {
  const { subject_name: subject, predicate, value } = move;
  if (Object.hasOwn(patterns, predicate)) return sentence(move, patterns, value);
  const answer = value === null ? '' : `: ${shownValue(value)}`;
  return move.statement ?? `${questionSubject(subject, predicate)}, ${readable(predicate)}${answer}`;
}

/** The chance of the value that is followed, where and when; what leads besides where it is another. */
function Side({
  verdict,
  other,
  move,
  patterns,
}: {
  readonly verdict: ComparedVerdict | null;
  readonly other: ComparedVerdict | null;
  readonly move: VerdictMove;
  readonly patterns: Patterns;
}) {
  if (verdict === null) return <>none</>;
  const { where, leading, leaderless } = sideWords(verdict, move.value, other, (value, isDenied) =>
    sentence(move, patterns, value, isDenied),
  );
  return (
    <>
      {verdict.chance === null ? 'no claim counts' : percent(verdict.chance)}
      <UserText text={where} />
      {leading !== null && (
        <>
          ; <UserText text={leading} /> leads
        </>
      )}
      {verdict.likelier && (
        <>
          ; <UserText text={shownValue(verdict.likelier.value)} /> is likelier (
          {percent(verdict.likelier.chance)})
        </>
      )}
      {leaderless !== null && (
        <>
          ; <UserText text={leaderless} />
        </>
      )}
    </>
  );
}
