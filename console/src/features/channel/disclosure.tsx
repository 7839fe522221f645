import type { Disclosure } from '@earshot/contract/disclosure';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

const disclosureOf = (deviceID: number): Query<Disclosure> => ({
  key: `disclosure ${deviceID}`,
  load: () => api.getDeviceDisclosure({ params: { deviceID } }),
});

/** Whether messages that leave Earshot may name the device. */
export function DisclosureSection({ deviceID }: { readonly deviceID: number }) {
  const disclosure = useQuery(disclosureOf(deviceID));
  const save = async ({ isDisclosed }: Values) => {
    await api.setDeviceDisclosure({ params: { deviceID }, body: { isDisclosed: isDisclosed === 'true' } });
    refresh([`disclosure ${deviceID}`]);
    showToast('Saved.');
  };
  return (
    <Section title="Messages that leave Earshot" bare>
      <div class="card padded">
        <WhenLoaded from={disclosure}>
          {({ isDisclosed }) => (
            <ApiForm submit="Save" onSend={save}>
              <CheckField
                name="isDisclosed"
                label="Channels may name this device"
                hint="Rules may then tell chats, programs and outside addresses the name of this device, and what is said if the rule includes words. Words that have left are beyond deletion."
                checked={isDisclosed}
              />
            </ApiForm>
          )}
        </WhenLoaded>
      </div>
    </Section>
  );
}
