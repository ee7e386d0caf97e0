// Has the browser keep the page, and tells when there is a newer one.
const { serviceWorker } = navigator;

const words = {
  en: { told: 'There is a new version of this page.', action: 'Load it', later: 'Later' },
  ja: { told: 'このページの新しい版があります。', action: '読み込む', later: 'あとで' },
};

// Nothing is loaded anew under the hands of somebody who has not asked for it.
const offer = (worker) => {
  const notice = document.createElement('div');
  const told = new Text();
  const [button, later] = [document.createElement('button'), document.createElement('button')];
  notice.id = 'update';
  notice.setAttribute('role', 'status');
  notice.append(told, button, later);
  // It is offered again when the page is opened again.
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
