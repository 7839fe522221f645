import type { Agent } from '@earshot/contract/agent';
import type { DeviceKey } from '@earshot/contract/api-key';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';

export type AgentWithNames = Agent & { readonly deviceName?: string; readonly agentType?: string };

export const agentsOf = (deviceID: number): Query<readonly AgentWithNames[]> => ({
  key: `agents ${deviceID}`,
  load: () => api.listAgents({ body: { deviceID, count: largestCount } }),
  follow: followList<AgentWithNames>({
    kind: 'agent',
    keep: ['deviceName', 'agentType'],
    wants: (change) => change.deviceID === deviceID,
  }),
});

export const keysOf = (deviceID: number): Query<readonly DeviceKey[]> => ({
  key: `device keys ${deviceID}`,
  load: () => api.listDeviceKeys({ params: { deviceID } }),
});
