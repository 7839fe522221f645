import type { InstallationState } from '@earshot/contract/installation';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

export const installationState: Query<InstallationState> = {
  key: 'installation',
  load: () => api.getInstallation(),
};

/** The line that installs the agent. */
export const installLine = (installURL: string): string => `curl -fsS ${installURL} | sh`;
