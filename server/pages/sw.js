// The service worker of the console. It shows what channels of the kind push send, also while no page is open. It stores
// nothing, and answers no request.

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('push', (event) => {
  const { title = 'Earshot', body = '', tag = '', path = '/', acknowledgeToken } = event.data?.json() ?? {};
  const actions = acknowledgeToken ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [];
  const data = { path, acknowledgeToken };
  event.waitUntil(registration.showNotification(title, { body, tag, data, actions, icon: '/pages/logo.svg' }));
});

addEventListener('notificationclick', (event) => {
  const { path, acknowledgeToken } = event.notification.data ?? {};
  event.notification.close();
  event.waitUntil(event.action === 'acknowledge' ? acknowledge(acknowledgeToken, path) : open(path));
});

/** Opens the page of the alert instead if it could not be done. */
async function acknowledge(token, path) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ token }) };
  const response = await fetch('/v1/alert/acknowledge', request).catch(() => undefined);
  if (!response?.ok) await open(path);
}

/** Only pages of the console. */
async function open(path) {
  await clients.openWindow(new URL(typeof path === 'string' && /^\/\w/.test(path) ? path : '/', location.origin).href);
}
