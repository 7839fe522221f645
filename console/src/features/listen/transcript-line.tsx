import { isDoubtful } from '@earshot/contract/caption-marks';
import { Button } from '../../lib/ui/button.tsx';
import { Badge } from '../../lib/ui/elements.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { editedText } from './edits.ts';
import type { EditorActs, Marks } from './marks.ts';
import { WordEditor } from './word-editor.tsx';
import type { Line, TranscriptWord } from './words.ts';

interface TranscriptLineProps {
  readonly line: Line;
  readonly row: number;
  readonly count: number;
  readonly marks: Marks;
  readonly acts: EditorActs;
}

export function TranscriptLine({ line, row, count, marks, acts }: TranscriptLineProps) {
  const { startMs, words, first, note, language, unconfirmed } = line;
  return (
    <li class="line" data-row={row} aria-setsize={count} aria-posinset={row + 1}>
      <button
        type="button"
        class="line-time"
        data-ms={startMs}
        tabIndex={-1}
        aria-label={`Go to ${positionText(startMs)}`}
      >
        {positionText(startMs)}
      </button>
      <p class="line-text" dir="auto">
        {words.flatMap((word, index) => {
          const at = first + index;
          if (at === marks.editing)
            return [<WordEditor key={`editor ${at}`} at={at} word={word} marks={marks} acts={acts} />, ' '];
          return [
            <Word key={at} at={at} word={word} marks={marks} />,
            marks.edits.has(at) ? null : <HeardAs key={`heard ${at}`} word={word} />,
            ' ',
          ];
        })}
        {unconfirmed && note !== undefined ? (
          <Unconfirmed line={line} note={note} unconfirmed={unconfirmed} confirm={acts.confirm} />
        ) : note === undefined ? null : (
          <span class="unheard" data-ms={startMs} title="Play this speech">
            {note}
          </span>
        )}
        {language !== undefined && <Badge tone="idle">{language}</Badge>}
      </p>
    </li>
  );
}

interface UnconfirmedProps {
  readonly line: Line;
  readonly note: string;
  readonly unconfirmed: NonNullable<Line['unconfirmed']>;
  readonly confirm: EditorActs['confirm'];
}

/** What the engine wrote although it took the speech for another language. */
function Unconfirmed({ line, note, unconfirmed, confirm }: UnconfirmedProps) {
  return (
    <>
      <Badge tone="warn">{note}</Badge>{' '}
      <span class="unconfirmed" data-ms={line.startMs} lang={unconfirmed.language} title="Play this speech">
        {unconfirmed.text}
      </span>
      {confirm && (
        <Button small kind="quiet" icon="check" label={`Confirm: ${unconfirmed.text}`} onClick={() => confirm(line)}>
          Confirm
        </Button>
      )}
    </>
  );
}

interface WordProps {
  readonly at: number;
  readonly word: TranscriptWord;
  readonly marks: Marks;
}

function Word({ at, word, marks: { found, matched, match, edits } }: WordProps) {
  const edit = edits.get(at);
  const isCurrentMatch = match !== undefined && match.first <= at && at <= match.last;
  const classes = ['word'];
  if (found.has(at)) classes.push('found');
  if (matched.has(at)) classes.push('match');
  if (isCurrentMatch) classes.push('current');
  if (edit) classes.push('edited');
  else if (isDoubtful(word)) classes.push('doubtful');
  if (edit?.text === '') {
    return (
      <del class={classes.join(' ')} data-w={at} title="Removed when you save">
        {edit.was}
      </del>
    );
  }
  if (!edit && word.heardAs !== undefined) classes.push('expected');
  const hint = edit ? `Was: ${edit.was}` : isDoubtful(word) ? `Doubtful: ${Math.round(word.confidence)} %` : undefined;
  return (
    <span class={classes.join(' ')} data-w={at} title={hint}>
      {editedText(edits, at, word.text)}
    </span>
  );
}

/** Shown beside the word, because a touch screen has no hints. */
function HeardAs({ word: { heardAs } }: { readonly word: TranscriptWord }) {
  if (heardAs === undefined) return null;
  return (
    <small class="heard-as" title="Written from the vocabulary">
      {' '}
      heard as “{heardAs}”
    </small>
  );
}
