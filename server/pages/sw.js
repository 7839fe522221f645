// The service worker of the console. It shows what channels of the kind push send, also while no page is open. It stores
// nothing, and answers no request.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const { title = 'Earshot', body = '', tag = '', path = '/', acknowledgeToken } = event.data?.json() ?? {};
  const actions = acknowledgeToken ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [];
  const options = { body, tag, data: { path, acknowledgeToken }, actions, icon: '/pages/logo.svg' };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener('notificationclick', (event) => {
  const { path, acknowledgeToken } = event.notification.data ?? {};
  event.notification.close();
  event.waitUntil(event.action === 'acknowledge' ? acknowledge(acknowledgeToken, path) : openPage(path));
});

/**
 * Opens the page of the alert instead if it could not be done.
 * @param {unknown} token
 * @param {unknown} path
 */
async function acknowledge(token, path) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ token }) };
  const response = await fetch('/v1/alert/acknowledge', request).catch(() => undefined);
  if (!response?.ok) await openPage(path);
}

/**
 * Only pages of the console.
 * @param {unknown} path
 */
async function openPage(path) {
  const shown = typeof path === 'string' && /^\/\w/.test(path) ? path : '/';
  await worker.clients.openWindow(new URL(shown, worker.location.origin).href);
}
