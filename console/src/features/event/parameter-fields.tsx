import { useState } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import type { ParameterRow, Parameters } from './parameters.ts';
import { parametersOf, rowsOf } from './parameters.ts';

interface ParameterFieldsProps {
  readonly parameters: Parameters;
  readonly onChange: (parameters: Parameters) => void;
}

/** Named parameters, or the same as JSON. */
export function ParameterFields({ parameters, onChange }: ParameterFieldsProps) {
  const [problem, setProblem] = useState('');
  const isJson = 'json' in parameters;
  const turn = () => {
    try {
      if (isJson) onChange({ rows: rowsOf(parameters.json) });
      else onChange({ json: JSON.stringify(JSON.parse(parametersOf(parameters.rows)), null, 2) });
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <fieldset class="parameters">
      <legend>
        Parameters <span class="optional">optional</span>
      </legend>
      {isJson ? (
        <textarea
          class="input code"
          rows={4}
          aria-label="Parameters as JSON"
          spellcheck={false}
          value={parameters.json}
          onInput={({ currentTarget }) => onChange({ json: currentTarget.value })}
        />
      ) : (
        <Rows rows={parameters.rows} onChange={(rows) => onChange({ rows })} />
      )}
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <div class="buttons">
        {!isJson && (
          <Button small icon="add" onClick={() => onChange({ rows: [...parameters.rows, { name: '', value: '' }] })}>
            Add a parameter
          </Button>
        )}
        <Button small kind="quiet" onClick={turn}>
          {isJson ? 'Edit as fields' : 'Edit as JSON'}
        </Button>
      </div>
      <p class="hint" hidden={isJson || parameters.rows.length === 0}>
        Numbers, true and false are sent as such. To send them as text, put them in double quotes.
      </p>
    </fieldset>
  );
}

interface RowsProps {
  readonly rows: readonly ParameterRow[];
  readonly onChange: (rows: readonly ParameterRow[]) => void;
}

function Rows({ rows, onChange }: RowsProps) {
  const set = (index: number, row: ParameterRow) => onChange(rows.with(index, row));
  return (
    <>
      {rows.map((row, index) => (
        <div key={index} class="parameter-row">
          <input
            class="input code"
            aria-label={`Name of parameter ${index + 1}`}
            placeholder="Name"
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
            value={row.name}
            onInput={({ currentTarget }) => set(index, { ...row, name: currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Value of ${row.name || `parameter ${index + 1}`}`}
            placeholder="Value"
            autoComplete="off"
            dir="auto"
            value={row.value}
            onInput={({ currentTarget }) => set(index, { ...row, value: currentTarget.value })}
          />
          <Button
            kind="quiet"
            icon="close"
            label={`Remove ${row.name || `parameter ${index + 1}`}`}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          />
        </div>
      ))}
    </>
  );
}
