import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { positionText } from '../../lib/ui/times.ts';
import { player } from '../../lib/player.ts';
import type { Correction } from './correction.ts';

interface CorrectionBarProps {
  readonly correction: Correction;
  readonly onSave: () => void;
}

/** The changes that are not saved yet: how many there are, and what can be done with them. */
export function CorrectionBar({ correction, onSave }: CorrectionBarProps) {
  const count = correction.edits.value.size;
  const isSaving = correction.isSaving.value;
  if (count === 0 && !correction.canUndo.value && correction.unplaced.value.length === 0) return null;
  return (
    <div class="correction-bar">
      <Overtaken correction={correction} />
      <p class="alert" role="alert" hidden={correction.problem.value === ''}>
        {correction.problem.value} Your changes are kept as a draft.
      </p>
      {!correction.isKept.value && (
        <p class="alert" role="alert">
          This browser has no space to keep a draft. Save soon.
        </p>
      )}
      <div class="correction-line">
        <p role="status">
          {count === 0 ? 'No unsaved changes.' : `${countText(count, 'changed word')} not saved. `}
          {count > 0 && <span class="quiet">Saving also marks all other words as checked.</span>}
        </p>
        <Button small kind="quiet" busy={!correction.canUndo.value} onClick={() => correction.undo()}>
          Undo change
        </Button>
        <Button small kind="quiet" busy={count === 0} onClick={() => correction.discard()}>
          Discard
        </Button>
        <Button small kind="primary" busy={isSaving || count === 0} onClick={onSave}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** Someone else saved meanwhile: tells what became of the changes. */
function Overtaken({ correction }: { readonly correction: Correction }) {
  const unplaced = correction.unplaced.value;
  if (!correction.isOvertaken.value) return null;
  return (
    <div class="alert overtaken" role="alert">
      <p>
        Someone else saved a newer version. It is shown now, with your changes.
        {unplaced.length > 0 && ' These changes do not fit it, because their words are gone:'}
      </p>
      {unplaced.length > 0 && (
        <ul class="unplaced">
          {unplaced.map(({ was, text, startMs }) => (
            <li key={`${startMs} ${was}`}>
              <button type="button" class="line-time" onClick={() => player.seek(startMs)}>
                {positionText(startMs)}
              </button>{' '}
              <del dir="auto">{was}</del> <ins dir="auto">{text}</ins>
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <Button small onClick={() => correction.dropUnplaced()}>
          {unplaced.length > 0 ? 'Drop these changes' : 'OK'}
        </Button>
      </div>
    </div>
  );
}
