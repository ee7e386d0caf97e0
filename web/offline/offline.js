// Registers the service worker, which keeps the page for offline use, and announces new versions.
const { serviceWorker } = navigator;

const texts = {
  en: { message: 'A new version of this page is available.', reload: 'Reload', later: 'Later' },
  ja: { message: 'このページの新しいバージョンがあります。', reload: '再読み込み', later: 'あとで' },
};

// The page never reloads by itself: the user decides.
const offer = (worker) => {
  const notice = document.createElement('div');
  const message = new Text();
  const [reload, later] = [document.createElement('button'), document.createElement('button')];
  notice.id = 'update';
  notice.setAttribute('role', 'status');
  notice.append(message, reload, later);
  // The notice returns when the page is opened again.
  later.addEventListener('click', () => notice.remove());
  reload.addEventListener('click', () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
    worker.postMessage('take over');
  });
  const setTexts = () => {
    const current = texts[document.documentElement.lang] ?? texts.en;
    message.data = current.message;
    reload.textContent = current.reload;
    later.textContent = current.later;
  };
  setTexts();
  new MutationObserver(setTexts).observe(document.documentElement, { attributeFilter: ['lang'] });
  document.body.append(notice);
};

const watch = (worker) => worker.addEventListener('statechange', () => {
  // Without a controller, this is the first version, which replaces none.
  if (worker.state === 'installed' && serviceWorker.controller) offer(worker);
});

if (serviceWorker) {
  const registration = await serviceWorker.register('service.js');
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}
