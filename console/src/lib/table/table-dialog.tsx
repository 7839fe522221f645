import { shortTextLength } from '@earshot/contract/values';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choice } from '../ui/tabs.tsx';
import { UserText } from '../ui/elements.tsx';
import type { Density, TableSettings } from './table-settings.ts';
import type { UsedTable } from './use-table.ts';

interface TableDialogProps<Row> {
  readonly table: UsedTable<Row>;
  readonly address: string;
  readonly onChange: (changes: Partial<TableSettings>) => void;
  readonly onClose: () => void;
}

const densityNames = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
] as const;

/** Columns, height of the rows, and views with a name. */
export function TableDialog<Row>({ table, address, onChange, onClose }: TableDialogProps<Row>) {
  const { columns, settings } = table;
  const { shown, views, density } = settings;
  const names = shown.map(({ name }) => name);
  const toggle = (name: string) =>
    onChange({ columns: names.includes(name) ? names.filter((one) => one !== name) : [...names, name] });
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = form.querySelector('input')?.value.trim() ?? '';
    if (name === '') return;
    onChange({ views: [...views.filter((view) => view.name !== name), { name, query: address, columns: names }] });
    form.reset();
  };
  return (
    <Dialog title="Columns and views" onClose={onClose}>
      <div class="stack">
        <fieldset class="table-columns">
          <legend>Columns: as many are shown as fit on the screen</legend>
          {columns
            .filter(({ isFixed }) => !isFixed)
            .map(({ name, label }) => (
              <label key={name} class="check">
                <input type="checkbox" checked={names.includes(name)} onChange={() => toggle(name)} />
                {label}
              </label>
            ))}
        </fieldset>
        <Choice<Density>
          label="Height of the rows"
          options={densityNames}
          value={density}
          onChange={(chosen) => onChange({ density: chosen })}
        />
        <form class="table-save" onSubmit={save}>
          <label class="filter-label" for="view-name">
            Save the filters, order and columns as a view
          </label>
          <input class="input" id="view-name" name="name" maxLength={shortTextLength} required autoComplete="off" />
          <Button type="submit">Save view</Button>
        </form>
        {views.length > 0 && (
          <ul class="table-views" aria-label="Saved views">
            {views.map(({ name }) => (
              <li key={name}>
                <UserText text={name} />
                <Button
                  small
                  kind="quiet"
                  icon="trash"
                  label={`Delete the view ${name}`}
                  onClick={() => onChange({ views: views.filter((view) => view.name !== name) })}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
