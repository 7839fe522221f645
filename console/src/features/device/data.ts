import type { Agent } from '@earshot/contract/agent';
import type { APIKey } from '@earshot/contract/api-key';
import type { Device, DeviceFilter } from '@earshot/contract/device';
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
  load: () => loadDevices({ searchText, ...(online === undefined ? {} : { online }) }, devicesPerPage * pages),
  // Whether a changed device still fits is the server's to say; without a filter the list knows itself.
  follow:
    searchText === '' && online === undefined ? followList({ kind: 'device' }) : followKinds('device', 'collection'),
});

/** Every device there is to choose from, or to count. */
export const allDevices: Query<readonly Device[]> = {
  key: 'devices all',
  load: () => loadDevices({}, Infinity),
  follow: followList({ kind: 'device' }),
};

const mostAtOnce = 1_000;

async function loadDevices(filter: DeviceFilter, most: number): Promise<readonly Device[]> {
  const devices: Device[] = [];
  for (;;) {
    const count = Math.min(mostAtOnce, most - devices.length);
    const more = await api.listDevices({ body: { ...filter, offset: devices.length, count } });
    devices.push(...more);
    if (more.length < count || devices.length >= most) return devices;
  }
}

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
