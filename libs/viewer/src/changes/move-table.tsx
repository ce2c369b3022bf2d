import { Sentence } from '../components/sentence.tsx';
import { counted } from '../format/numbers.ts';
import type { VerdictMove } from '../snapshot.ts';
import { ItemWords } from './changed-items.tsx';
import { causeWords, moveWords, roundedParts, signedPoints, type Patterns } from './move-words.ts';

/** Items that a part names; the rest are counted. */
const NAMED = 3;
const CHANGED = { added: 'added', removed: 'removed', replaced: 'changed' };

/** Verdicts that moved: both judgements side by side, and the parts that the move is made of. */
export function MoveTable({
  moves,
  payload,
  patterns,
}: {
  readonly moves: readonly VerdictMove[];
  readonly payload: object;
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
          const words = moveWords(move, patterns);
          return (
            <tr key={row}>
              <th scope="row">
                <Sentence parts={words.verdict} />
              </th>
              <td data-title="Before">
                <Sentence parts={words.before} />
              </td>
              <td data-title="After">
                <Sentence parts={words.after} />
              </td>
              <td data-title="Move" class="short">
                {words.move}
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
