// Starts the page's WebAssembly module. If it does not start, none of the page's texts are loaded, so
// this script contains the message. It is a classic script, because a sandboxed frame without an origin
// cannot fetch module scripts and must show the message, too.
const messages = {
  en: {
    text: 'This page could not start. It needs WebAssembly and all of its files.',
    tryAgain: 'Try again',
  },
  ja: {
    text: 'ページを開始できませんでした。WebAssembly と、ページのすべてのファイルが必要です。',
    tryAgain: 'もう一度試す',
  },
};

const report = (error) => {
  console.error(error);
  const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  const language = wanted.startsWith('ja') ? 'ja' : 'en';
  const { text, tryAgain } = messages[language];
  const [notice, button] = ['div', 'button'].map((name) => document.createElement(name));
  notice.id = 'not-started';
  notice.className = 'notice';
  notice.lang = language;
  notice.setAttribute('role', 'alert');
  button.id = 'start-again';
  button.textContent = tryAgain;
  // A module that failed to load stays failed until the page is reloaded.
  button.addEventListener('click', () => location.reload());
  notice.append(text, ' ', button);
  document.querySelector('#app').replaceChildren(notice);
};

// Paper shows the address, which style sheets cannot read. Results in links are too long for it.
addEventListener('beforeprint', () => {
  const { href, origin, pathname } = location;
  document.body.dataset.address = href.length < 500 ? href : origin + pathname;
});

import('./queens-web.js').then(({ default: init }) => init()).catch(report);
