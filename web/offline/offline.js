// Lets the browser keep the page for offline use, and announces a newer version.
const { serviceWorker } = navigator;

const words = {
  en: { told: 'A new version of this page is available.', action: 'Reload', later: 'Later' },
  ja: { told: 'このページの新しいバージョンがあります。', action: '再読み込み', later: 'あとで' },
};

// The page never reloads by itself: the user decides.
const offer = (worker) => {
  const notice = document.createElement('div');
  const told = new Text();
  const [button, later] = [document.createElement('button'), document.createElement('button')];
  notice.id = 'update';
  notice.setAttribute('role', 'status');
  notice.append(told, button, later);
  // The notice returns when the page is opened again.
  later.addEventListener('click', () => notice.remove());
  button.addEventListener('click', () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload());
    worker.postMessage('take over');
  });
  const speak = () => {
    const said = words[document.documentElement.lang] ?? words.en;
    [told.data, button.textContent, later.textContent] = [said.told, said.action, said.later];
  };
  speak();
  new MutationObserver(speak).observe(document.documentElement, { attributeFilter: ['lang'] });
  document.body.append(notice);
};

const watch = (worker) => worker.addEventListener('statechange', () => {
  // The first version replaces nothing.
  if (worker.state === 'installed' && serviceWorker.controller) offer(worker);
});

if (serviceWorker) {
  const registration = await serviceWorker.register('service.js');
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}
