import type { DeviceCommand, Publication } from '@earshot/contract/publication';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { isAdmin } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { presetsOf } from '../event-preset/public.ts';
import { eventTypes, readableName } from '../event/public.ts';

const publicationOf = (deviceID: number): Query<Publication> => ({
  key: `publication ${deviceID}`,
  load: () => api.getDevicePublication({ params: { deviceID } }),
});

/** A preset that may become a command. */
interface Choice {
  readonly key: number;
  readonly label: string;
}

const inputName = (key: number): string => `preset.${key}`;

/** Whether Home Assistant and others see the state of the device, and which work they may send to it. */
export function PublicationSection({ deviceID }: { readonly deviceID: number }) {
  const publication = useQuery(publicationOf(deviceID));
  const { data: presets = [] } = useQuery(presetsOf(deviceID));
  const { data: types = [] } = useQuery(eventTypes);
  const choicesWith = (commands: readonly DeviceCommand[]): readonly Choice[] => {
    const own = presets.flatMap(({ key = 0, eventPresetName, eventTypeID }) => {
      const type = types.find((each) => each.key === eventTypeID)?.eventTypeName;
      return type === undefined ? [] : [{ key, label: eventPresetName || readableName(type) }];
    });
    const others = commands.filter(({ eventPresetID }) => own.every(({ key }) => key !== eventPresetID));
    return [...own, ...others.map((command) => ({ key: command.eventPresetID ?? 0, label: labelOf(command) }))];
  };
  const save = async (choices: readonly Choice[], values: Values) => {
    const eventPresetIDs = choices.map(({ key }) => key).filter((key) => values[inputName(key)] === 'true');
    const isPublished = values['isPublished'] === 'true';
    await api.setDevicePublication({ params: { deviceID }, body: { isPublished, eventPresetIDs } });
    refresh([`publication ${deviceID}`]);
    showToast('Saved.');
  };
  return (
    <Section title="Home Assistant" bare>
      <div class="card padded">
        <WhenLoaded from={publication}>
          {({ isPublished, hasBroker, commands }) => (
            <>
              <ApiForm submit="Save" onSend={(values) => save(choicesWith(commands), values)}>
                {!hasBroker && (
                  <p class="hint">
                    This installation has no MQTT broker, so nothing is published until its operator sets one.
                  </p>
                )}
                <CheckField
                  name="isPublished"
                  label="Publish the state of this device"
                  hint="Everybody who may read the MQTT broker of this installation then sees its name, state, battery, level, last tag, and whether a rule of yours has an open alert. Never what was said."
                  checked={isPublished}
                />
                {choicesWith(commands).length > 0 && (
                  <fieldset class="choices">
                    <legend>Presets with a button in Home Assistant</legend>
                    <p class="hint">
                      Everybody who may write to the broker can press them, with your rights, while the device is
                      published.
                    </p>
                    {choicesWith(commands).map(({ key, label }) => (
                      <CheckField
                        key={key}
                        name={inputName(key)}
                        label={label}
                        checked={commands.some(({ eventPresetID }) => eventPresetID === key)}
                      />
                    ))}
                  </fieldset>
                )}
              </ApiForm>
              <HeldCommands deviceID={deviceID} commands={commands} />
            </>
          )}
        </WhenLoaded>
      </div>
    </Section>
  );
}

const labelOf = ({ eventPresetName, eventType }: DeviceCommand): string => eventPresetName || readableName(eventType);

const reasons: Readonly<Partial<Record<string, string>>> = {
  waiting: 'has no button until an admin allows it',
  changed: 'was changed after an admin allowed it, and has no button until an admin allows it again',
  lost: 'has no button: the person who publishes the device may not run it here any more',
};

interface HeldProps {
  readonly deviceID: number;
  readonly commands: readonly DeviceCommand[];
}

/** Named presets that have no button, with the reason. */
function HeldCommands({ deviceID, commands }: HeldProps) {
  const held = commands.filter(({ state }) => state !== 'ready');
  if (held.length === 0) return null;
  const allow = async (contentHash: string) => {
    const params = { deviceID };
    if (await attempt(() => api.allowDeviceCommand({ params, body: { contentHash } })))
      showToast('Allowed, until the preset is changed.');
    refresh([`publication ${deviceID}`]);
  };
  return (
    <ul class="rows">
      {held.map((command) => (
        <li key={command.eventPresetID} class="row actions-below">
          <div class="row-body">
            <span class="row-main">
              <span>
                <UserText text={labelOf(command)} /> {reasons[command.state ?? '']}.
              </span>
              <span class="row-under">
                <span>{readableName(command.eventType)}</span>
                <code>{command.eventParameters}</code>
              </span>
            </span>
          </div>
          {isAdmin() && command.state !== 'lost' && (
            <span class="row-actions">
              <Button small label={`Allow ${labelOf(command)}`} onClick={() => void allow(command.contentHash ?? '')}>
                Allow
              </Button>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
