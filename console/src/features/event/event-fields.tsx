import { useQuery } from '../../lib/query.ts';
import { SelectField } from '../../lib/ui/field.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import type { Parameters } from './parameters.ts';
import { knownParameters } from './parameters.ts';
import type { EventDraft } from './draft.ts';
import { eventTypes } from './data.ts';
import { readableName } from './readable-name.ts';

const fieldsOf = (eventType: string): Parameters => ({
  rows: (knownParameters[eventType] ?? []).map((name) => ({ name, value: '' })),
});

interface EventFieldsProps {
  readonly draft: EventDraft;
  readonly onChange: (draft: EventDraft) => void;
  /** Without it, all types are offered. */
  readonly isOffered?: (eventTypeID: number) => boolean;
}

/** The type of an event, and its parameters with the names that the type has. */
export function EventFields({ draft: { eventType, parameters }, onChange, isOffered = () => true }: EventFieldsProps) {
  const { data: types = [] } = useQuery(eventTypes);
  return (
    <>
      <SelectField
        name="eventType"
        label="Event type"
        value={eventType}
        options={[
          { value: '', label: 'Choose an event type' },
          ...types
            .filter(({ key = 0 }) => isOffered(key))
            .map(({ eventTypeName = '', agentType = '' }) => ({
              value: eventTypeName,
              label: readableName(eventTypeName),
              group: agentType,
            })),
        ]}
        onChange={(next) => onChange({ eventType: next, parameters: fieldsOf(next) })}
        hint={types.find((type) => type.eventTypeName === eventType)?.detailedDescription ?? ''}
      />
      {eventType !== '' && (
        <ParameterFields parameters={parameters} onChange={(next) => onChange({ eventType, parameters: next })} />
      )}
    </>
  );
}
