import type { AgentRelease } from '@earshot/contract/agent-release';
import { nameBuild } from '@earshot/contract/build-name';
import { createRollout, defaultStages } from '@earshot/contract/rollout';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { may } from '../right/public.ts';

interface RolloutDialogProps {
  readonly releases: readonly AgentRelease[];
  readonly onClose: () => void;
}

const nameRelease = ({ version = '', sha256 = '', current }: AgentRelease): string =>
  `${nameBuild(version, sha256)}${current ? ', current' : ''}`;

/** Chooses the release, the devices and the stages. */
export function RolloutDialog({ releases, onClose }: RolloutDialogProps) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const mine = (on: { readonly deviceID?: number | undefined; readonly collectionID?: number | undefined }) =>
    may(createRollout, on);
  const targets = [
    ...collections
      .filter(({ key }) => mine({ collectionID: key }))
      .map(({ key, collectionName = '' }) => ({
        value: `group ${key}`,
        label: `All devices in ${collectionName}`,
        group: 'Collections',
      })),
    ...devices
      .filter(({ key }) => mine({ deviceID: key }))
      .map((device) => ({ value: `device ${device.key}`, label: nameOf(device), group: 'Devices' })),
  ];
  const first = releases.find(({ current }) => current) ?? releases[0];
  const start = async ({ sha256 = '', target = '', stages = '', mostFailures = '' }: Values) => {
    const [kind, key] = target.split(' ');
    const chosen = kind === 'group' ? { deviceGroupID: Number(key) } : { deviceIDs: [Number(key)] };
    const percentages = stages.split(/[\s,%]+/).filter(Boolean);
    await api.createRollout({
      body: { sha256, ...chosen, stages: percentages.map(Number), mostFailures: Number(mostFailures || 0) },
    });
    refresh(['rollout']);
    onClose();
  };
  return (
    <Dialog title="Update devices" onClose={onClose}>
      <ApiForm submit="Start" onSend={start} onCancel={onClose}>
        <SelectField
          name="sha256"
          label="Version"
          value={first?.sha256 ?? ''}
          options={releases.map((release) => ({ value: release.sha256 ?? '', label: nameRelease(release) }))}
        />
        <SelectField name="target" label="Devices" options={targets} value={targets[0]?.value ?? ''} />
        <TextField
          name="stages"
          label="Stages in percent"
          hint="One device first, then these shares of all devices."
          value={defaultStages.join(', ')}
          optional
        />
        <TextField
          name="mostFailures"
          label="Failures allowed"
          hint="The update stops when more devices fail."
          value="0"
          optional
        />
      </ApiForm>
    </Dialog>
  );
}
