import type { Publication } from '@earshot/contract/publication';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

const publicationOf = (deviceID: number): Query<Publication> => ({
  key: `publication ${deviceID}`,
  load: () => api.getDevicePublication({ params: { deviceID } }),
});

/** Whether Home Assistant and others see the state of the device. */
export function PublicationSection({ deviceID }: { readonly deviceID: number }) {
  const publication = useQuery(publicationOf(deviceID));
  const save = async ({ isPublished }: Values) => {
    await api.setDevicePublication({ params: { deviceID }, body: { isPublished: isPublished === 'true' } });
    refresh([`publication ${deviceID}`]);
    showToast('Saved.');
  };
  return (
    <Section title="Home Assistant" bare>
      <div class="card padded">
        <WhenLoaded from={publication}>
          {({ isPublished, hasBroker }) => (
            <ApiForm submit="Save" onSend={save}>
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
            </ApiForm>
          )}
        </WhenLoaded>
      </div>
    </Section>
  );
}
