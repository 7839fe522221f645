import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { addMonths, dayAfterKey, longDay, monthText, daysText, shortDay, weeksOf } from './calendar.ts';
import { dateText, viewerZone } from './clock.ts';
import { Icon } from './icon.tsx';

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

interface DayPickerProps {
  readonly id?: string;
  readonly label: string;
  /** As 2026-11-15; empty if none is chosen. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A button that opens a month to choose a day from. */
export function DayPicker({ id, label, value, onChange }: DayPickerProps) {
  return (
    <Picker
      {...(id === undefined ? {} : { id })}
      label={label}
      text={value === '' ? '' : shortDay(value)}
      begin={value}
      isChosen={(day) => day === value}
      onClear={value === '' ? undefined : () => onChange('')}
      onPick={(day) => {
        onChange(day);
        return true;
      }}
    />
  );
}

interface RangePickerProps {
  readonly label: string;
  /** First and last day; empty if there is none. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (from: string, to: string) => void;
}

/** A button that opens a month to choose the first and the last day from. */
export function RangePicker({ label, from, to, onChange }: RangePickerProps) {
  const [first, setFirst] = useState('');
  return (
    <Picker
      label={label}
      text={daysText(from, to)}
      begin={to || from}
      hint={first === '' ? 'Choose the first day.' : 'Choose the last day.'}
      isChosen={(day) =>
        first === ''
          ? (from !== '' || to !== '') && (from === '' || day >= from) && (to === '' || day <= to)
          : day === first
      }
      onClose={() => setFirst('')}
      onClear={from === '' && to === '' ? undefined : () => onChange('', '')}
      onPick={(day) => {
        if (first === '') {
          setFirst(day);
          return false;
        }
        onChange(first < day ? first : day, first < day ? day : first);
        return true;
      }}
    />
  );
}

interface PickerProps {
  readonly id?: string;
  readonly label: string;
  readonly text: string;
  /** The day whose month is shown first. */
  readonly begin: string;
  readonly hint?: string;
  readonly isChosen: (day: string) => boolean;
  readonly onClear: (() => void) | undefined;
  readonly onClose?: () => void;
  /** Returns whether the choice is complete. */
  readonly onPick: (day: string) => boolean;
}

function Picker({ id, label, text, begin, hint, isChosen, onClear, onClose, onPick }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelID = useId();
  const close = (isFocused: boolean) => {
    setOpen(false);
    onClose?.();
    if (isFocused) button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) close(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close(true);
  };
  return (
    <div class="day-picker" ref={root} onKeyDown={isOpen ? escape : undefined}>
      <button
        class="input day-button"
        type="button"
        ref={button}
        {...(id === undefined ? {} : { id })}
        aria-label={`${label}: ${text || 'Any day'}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelID : undefined}
        onClick={() => (isOpen ? close(true) : setOpen(true))}
      >
        <Icon name="calendar" />
        <span>{text || 'Any day'}</span>
      </button>
      {isOpen && (
        <div class="day-panel" id={panelID} role="dialog" aria-label={label}>
          <Month begin={begin} isChosen={isChosen} onPick={(day) => onPick(day) && close(true)} />
          <div class="day-foot">
            <span class="quiet" role="status">
              {hint}
            </span>
            {onClear && (
              <Button
                small
                kind="quiet"
                onClick={() => {
                  onClear();
                  close(true);
                }}
              >
                Clear
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

interface MonthProps {
  readonly begin: string;
  readonly isChosen: (day: string) => boolean;
  readonly onPick: (day: string) => void;
}

/** One of its days is a Tab stop; the arrow keys move between days, Page Up and Down between months. */
function Month({ begin, isChosen, onPick }: MonthProps) {
  const today = dateText(Date.now(), viewerZone());
  const [current, setCurrent] = useState(begin || today);
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(true);
  useLayoutEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
    hasMoved.current = false;
  }, [current]);
  const move = (event: KeyboardEvent) => {
    const next = dayAfterKey(current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setCurrent(next);
  };
  return (
    <>
      <div class="day-head">
        <Button
          small
          kind="quiet"
          icon="back"
          label="Previous month"
          onClick={() => setCurrent(addMonths(current, -1))}
        />
        <strong aria-live="polite">{monthText(current)}</strong>
        <Button small kind="quiet" icon="next" label="Next month" onClick={() => setCurrent(addMonths(current, 1))} />
      </div>
      <table class="day-grid" role="grid" aria-label={monthText(current)} ref={grid} onKeyDown={move}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(current).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} role="gridcell" aria-selected={isChosen(day)}>
                  <button
                    class={day.slice(0, 7) === current.slice(0, 7) ? 'day-cell' : 'day-cell beside'}
                    type="button"
                    data-day={day}
                    tabIndex={day === current ? 0 : -1}
                    aria-label={longDay(day)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
