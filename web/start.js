// Starts the page's WebAssembly module, or says that it does not start: no text of the page is there
// then. This is a classic script because a frame without an origin may fetch no module.
const words = {
  en: {
    said: 'This page could not start. It needs WebAssembly and all of its files.',
    again: 'Try again',
  },
  ja: {
    said: 'ページを開始できませんでした。WebAssembly と、ページのすべてのファイルが必要です。',
    again: 'もう一度試す',
  },
};

const report = (error) => {
  console.error(error);
  const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  const language = wanted.startsWith('ja') ? 'ja' : 'en';
  const { said, again } = words[language];
  const [notice, button] = ['div', 'button'].map((name) => document.createElement(name));
  notice.id = 'not-started';
  notice.className = 'notice';
  notice.lang = language;
  notice.setAttribute('role', 'alert');
  button.id = 'start-again';
  button.textContent = again;
  // A module that failed stays so until the page is opened again.
  button.addEventListener('click', () => location.reload());
  notice.append(said, ' ', button);
  document.querySelector('#app').replaceChildren(notice);
};

import('./queens-web.js').then(({ default: init }) => init()).catch(report);
