import { api } from '../../lib/api.ts';
import { InputProblem } from '../../lib/input-problem.ts';
import { refresh } from '../../lib/query.ts';
import { registerWorker } from '../../lib/service-worker.ts';

/** Why this browser cannot be told, and what would help; undefined: it can. */
export function whyNoPush(): string | undefined {
  if (!isSecureContext) return 'Browsers take messages only from https addresses with a certificate that they trust.';
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    return 'This browser takes no messages. On an iPhone or iPad, add Earshot to the home screen first, and open it there.';
  if (Notification.permission === 'denied')
    return 'You have refused notifications of this address. Allow them in the settings of the browser.';
  return undefined;
}

/** Makes a channel of this browser. */
export async function addThisBrowser(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new InputProblem('The browser did not allow notifications.');
  const registration = await registerWorker();
  // A former subscription may be another person's; its channel is then switched off by the platform.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const { publicKey } = await api.getPushKey();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch((error: unknown) => {
      throw new InputProblem(`The push service of this browser could not be used (${(error as Error).message}).`);
    });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  await api.createChannel({
    body: {
      channelName: `Browser on ${platformName()}`,
      kind: 'push',
      settings: { url: endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    },
  });
  refresh(['channels']);
}

const platforms = ['Android', 'iPhone', 'iPad', 'Mac', 'Windows', 'Linux'];

const platformName = (): string => platforms.find((name) => navigator.userAgent.includes(name)) ?? 'this device';
