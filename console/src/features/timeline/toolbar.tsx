import { currentLocation, setQuery } from '../../lib/location.ts';
import { Button } from '../../lib/ui/button.tsx';
import { dateText } from '../../lib/ui/clock.ts';
import { FilterDate } from '../../lib/ui/filter.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import type { TimelineModel } from './model.ts';
import type { SpanName } from './range.ts';
import { chosenDay, spanOf, stepped } from './range.ts';

interface ToolbarProps {
  readonly model: TimelineModel;
  readonly zone: string;
}

const zoomIn = 0.5;

export function Toolbar({ model, zone }: ToolbarProps) {
  const { query } = currentLocation.value;
  const span = spanOf(query);
  const day = chosenDay(query);
  const step = (count: number) => setQuery({ day: stepped(span, day, count, zone, Date.now()) });
  const zoom = (factor: number) => {
    const { from, to } = model.view.peek();
    const at = model.cursor.peek()?.time ?? (from + to) / 2;
    model.zoom(factor, at >= from && at <= to ? at : (from + to) / 2);
  };
  return (
    <div class="toolbar timeline-tools">
      <Choice<SpanName>
        label="Show"
        value={span}
        options={[
          { value: 'day', label: 'Day' },
          { value: 'week', label: 'Week' },
        ]}
        onChange={(next) => setQuery({ span: next === 'day' ? '' : next })}
      />
      <div class="timeline-days">
        <Button kind="quiet" icon="back" label="Earlier" onClick={() => step(-1)} />
        <FilterDate
          label="Day"
          type="date"
          value={day || dateText(Date.now(), zone)}
          onChange={(next) => setQuery({ day: next })}
        />
        <Button kind="quiet" icon="next" label="Later" busy={day === ''} onClick={() => step(1)} />
        {day !== '' && (
          <Button small kind="quiet" onClick={() => setQuery({ day: '' })}>
            Today
          </Button>
        )}
      </div>
      <div class="timeline-zoom">
        <span class="touch-only">
          <button
            type="button"
            class="button plain small"
            aria-pressed={model.isSelecting.value}
            onClick={() => (model.isSelecting.value = !model.isSelecting.peek())}
          >
            Select
          </button>
        </span>
        <Button kind="quiet" icon="less" label="Zoom out" onClick={() => zoom(1 / zoomIn)} />
        <Button kind="quiet" icon="add" label="Zoom in" onClick={() => zoom(zoomIn)} />
      </div>
    </div>
  );
}
