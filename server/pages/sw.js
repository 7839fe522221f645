// The service worker of the console. It shows what channels of the kind push send, also while no page is open, and keeps the
// shell of the console: its page and what that page loads at once. The shell is shown only while the server is not reached.
// Requests of the API never pass through here: they are not answered, and nothing of them is stored.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => {
  void worker.skipWaiting();
  event.waitUntil(keepShell());
});

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

/** Programs, pages and files of the server that are no pages of the console. */
const otherPaths = /^\/(v1|pages|assets|docs|api|install)(\/|$)/;

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== worker.location.origin) return;
  if (mode === 'navigate') {
    if (!otherPaths.test(pathname)) event.respondWith(openConsole(event));
  } else if (shellParts.test(pathname)) {
    event.respondWith(fetch(event.request).catch(() => findStored(pathname)));
  }
});

/** What a proxy answers in the place of a server that it does not reach. */
const unreached = new Set([502, 503, 504]);

/**
 * The network first, so that a new version of the server is taken when the console is opened next.
 * @param {FetchEvent} event
 */
async function openConsole(event) {
  const answer = await fetch(event.request).catch(() => undefined);
  if (!answer || unreached.has(answer.status)) {
    const stored = await findStored('/');
    return stored.ok || !answer ? stored : answer;
  }
  event.waitUntil(keepShell());
  return answer;
}

const cacheName = 'shell';
const shellParts = /^\/(assets\/[^/]+|pages\/logo\.svg)$/;

/** @param {string} path */
async function findStored(path) {
  const cache = await caches.open(cacheName);
  return (await cache.match(path, { ignoreVary: true })) ?? Response.error();
}

/** One after the other: two builds at once, as during an upgrade of several nodes, would remove each other's parts. */
let keeping = Promise.resolve();

function keepShell() {
  // What cannot be stored now is stored when the console is opened next.
  keeping = keeping.then(storeShell).catch(() => undefined);
  return keeping;
}

/** The page is stored after its parts and before the former ones are removed, so that it always has all of them. */
async function storeShell() {
  const answer = await fetch('/', { cache: 'no-cache' });
  const text = await answer.text();
  const parts = [...text.matchAll(/ (?:src|href)="([^"]+)"/g)].flatMap(([, path = '']) =>
    shellParts.test(path) ? path : [],
  );
  // A proxy may ask for a sign-in of its own.
  if (!answer.ok || answer.redirected || parts.length === 0) return;
  const page = text.replace('<html ', '<html data-stored ');
  const cache = await caches.open(cacheName);
  const former = await cache.match('/');
  if ((await former?.text()) === page) return;
  await cache.addAll(parts);
  // With the content policy.
  const headers = new Headers(answer.headers);
  headers.delete('content-encoding');
  await cache.put('/', new Response(page, { headers }));
  for (const request of await cache.keys()) {
    if (!['/', ...parts].includes(new URL(request.url).pathname)) await cache.delete(request);
  }
}

worker.addEventListener('push', (event) => {
  const { title = 'Earshot', body = '', tag = '', path = '/', acknowledgeToken } = event.data?.json() ?? {};
  const actions = acknowledgeToken ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [];
  const options = { body, tag, data: { path, acknowledgeToken }, actions, icon: '/pages/icon-192.png' };
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
