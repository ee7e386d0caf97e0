// Keeps the page in the browser, so that it opens without a network. A version is kept whole: what
// is open goes on with the files that it began with, until somebody asks for the new ones. The build
// writes VERSION and FILES above this.

// Several copies of the page may live at one origin, each below a path of its own.
const mine = `queens ${registration.scope} `;
const name = mine + VERSION;

const keep = async () => {
  const cache = await caches.open(name);
  // Past the browser's own cache, which may hold files of an older version.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
};

const forgetOthers = async () => {
  const old = (await caches.keys()).filter((key) => key.startsWith(mine) && key !== name);
  await Promise.all(old.map((key) => caches.delete(key)));
  await clients.claim();
};

const answer = async (request) => {
  const cache = await caches.open(name);
  // The page's state stands in its address and is none of the file's.
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
};

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
});
