import type { User, UserUpdate } from '@earshot/contract/user';
import { api, errorMessage } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import { refresh } from '../../lib/query.ts';
import { dropToast, showToast } from '../../lib/toasts.ts';
import { userName } from './data.ts';

const described = ({ role, disabled }: UserUpdate): string => {
  if (role !== undefined) return role === 'admin' ? 'is now an admin' : 'is now a member';
  return disabled ? 'is disabled: all sessions and API keys are blocked' : 'is enabled';
};

/** Applies the change immediately. Undo applies the previous values. */
export async function saveUser(user: User, change: UserUpdate, isUndo = false): Promise<void> {
  try {
    await api.updateUser({ params: { userID: user.key ?? 0 }, body: change });
    refresh(['people']);
  } catch (error) {
    showToast(errorMessage(error), { tone: 'bad' });
    return;
  }
  if (isUndo) return;
  const before: UserUpdate = {
    ...(change.role === undefined ? {} : { role: user.role ?? 'member' }),
    ...(change.disabled === undefined ? {} : { disabled: user.disabled ?? false }),
  };
  const toast = showToast(`${userName(user)} ${described(change)}.`, {
    undo: () => {
      dropToast(toast);
      void saveUser(user, before, true);
    },
  });
}

export function deletePerson(user: User): void {
  const userID = user.key ?? 0;
  deferAction(`user ${userID}`, `${userName(user)} is deleted.`, async () => {
    await api.deleteUser({ params: { userID } });
    refresh(['people']);
  });
}
