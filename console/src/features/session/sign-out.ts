import { api, errorMessage } from '../../lib/api.ts';
import { sendDeferred } from '../../lib/deferred.ts';
import { drafts } from '../../lib/drafts.ts';
import { forgetSession, signedInUser } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';

export async function signOutHere(): Promise<void> {
  try {
    await sendDeferred();
    await api.deleteSession();
    drafts.removeAll(signedInUser().userID ?? 0);
    forgetSession('You are signed out.');
  } catch (error) {
    showToast(`You are still signed in. ${errorMessage(error)}`, { tone: 'bad' });
  }
}
