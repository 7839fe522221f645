import type { AgentRelease } from '@earshot/contract/agent-release';
import type { Rollout, RolloutWithDevices } from '@earshot/contract/rollout';
import { useEffect } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';

/** Each step of a rollout is an event, or follows one. */
export const allRollouts: Query<readonly Rollout[]> = {
  key: 'rollouts',
  load: () => api.listRollouts(),
  follow: followKinds('event', 'agent'),
};

export const oneRollout = (rolloutID: number): Query<RolloutWithDevices> => ({
  key: `rollout ${rolloutID}`,
  load: () => api.getRollout({ params: { rolloutID } }),
  follow: followKinds('event', 'agent'),
});

export const releases: Query<readonly AgentRelease[]> = {
  key: 'agent releases',
  load: () => api.listAgentReleases(),
};

const askEveryMs = 5_000;

/** The end of a rollout is not a change of an event, so the page asks for it while something is in progress. */
export function useSteps(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(() => refresh(['rollout']), askEveryMs);
    return () => clearInterval(timer);
  }, [isActive]);
}
