import type { Agent } from '@earshot/contract/agent';
import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { api } from '../../app/api.ts';
import { followKinds, followList, followOne } from '../../app/follow.ts';
import type { Query } from '../../app/query.ts';

export const devicesPerPage = 100;

export interface DeviceSearch {
  readonly searchText: string;
  readonly online: boolean | undefined;
  readonly pages: number;
}

/** The newest devices that fit, as one types. */
export const devicesFound = ({ searchText, online, pages }: DeviceSearch): Query<readonly Device[]> => ({
  key: `devices ${pages} ${online ?? 'any'} ${searchText}`,
  load: () =>
    api.listDevices({
      body: { searchText, count: Math.min(1_000, devicesPerPage * pages), ...(online === undefined ? {} : { online }) },
    }),
  // Whether a changed device still fits is the server's to say; without a filter the list knows itself.
  follow:
    searchText === '' && online === undefined ? followList({ kind: 'device' }) : followKinds('device', 'collection'),
});

/** Every device there is to choose from, or to count. */
export const allDevices: Query<readonly Device[]> = {
  key: 'devices all',
  load: () => api.listDevices({ body: { count: 1_000 } }),
  follow: followList({ kind: 'device' }),
};

export const oneDevice = (deviceID: number): Query<Device> => ({
  key: `device ${deviceID}`,
  load: () => api.getDevice({ params: { deviceID } }),
  follow: followOne('device'),
});

export type AgentWithNames = Agent & { readonly deviceName?: string; readonly agentType?: string };

export const agentsOf = (deviceID: number): Query<readonly AgentWithNames[]> => ({
  key: `agents ${deviceID}`,
  load: () => api.listAgents({ body: { deviceID } }),
  follow: followList<AgentWithNames>({
    kind: 'agent',
    keep: ['deviceName', 'agentType'],
    wants: (change) => change.deviceID === deviceID,
  }),
});

export const keysOf = (deviceID: number): Query<readonly APIKey[]> => ({
  key: `device keys ${deviceID}`,
  load: () => api.listDeviceKeys({ params: { deviceID } }),
});

export const nameOf = ({ deviceName, deviceSerial, key }: Device): string =>
  deviceName || deviceSerial || `Device ${key ?? ''}`;
