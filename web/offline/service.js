// The service worker, which stores the page in the browser so that it opens without a network. Each
// version is stored as a whole: an open page uses the files of its version until the user asks for
// the new one. The build writes VERSION and FILES above this.

// One origin may have several copies of the page, each below its own path.
const prefix = `queens ${registration.scope} `;
const name = prefix + VERSION;

const store = async () => {
  const cache = await caches.open(name);
  // This bypasses the browser's own cache, which may have files of an older version.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
};

const deleteOthers = async () => {
  const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
  await Promise.all(old.map((key) => caches.delete(key)));
  await clients.claim();
};

const answer = async (request) => {
  const cache = await caches.open(name);
  // The query has the state of the page. Files do not depend on it.
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
};

addEventListener('install', (event) => event.waitUntil(store()));
addEventListener('activate', (event) => event.waitUntil(deleteOthers()));
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
});
