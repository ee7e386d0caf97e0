// Starts the page's WebAssembly module. If it does not start, none of the page's texts are loaded, so
// this script contains the messages. It is a classic script, because a sandboxed frame without an origin
// cannot fetch module scripts and must show the messages, too.
const messages = {
  en: {
    'not-started': 'This page could not start. It needs WebAssembly and all of its files.',
    'not-styled': 'This page is incomplete: its stylesheet, style.css, could not be loaded.',
    tryAgain: 'Try again',
  },
  ja: {
    'not-started': 'ページを表示できませんでした。WebAssembly と、ページのすべてのファイルが必要です。',
    'not-styled': 'スタイルシート style.css を読み込めなかったため、ページが正しく表示されていません。',
    tryAgain: 'もう一度試す',
  },
};

const notice = (id) => {
  const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  const language = wanted.startsWith('ja') ? 'ja' : 'en';
  const { [id]: text, tryAgain } = messages[language];
  const [place, button] = ['div', 'button'].map((name) => document.createElement(name));
  place.id = id;
  place.className = 'notice';
  place.lang = language;
  place.setAttribute('role', 'alert');
  button.id = id === 'not-started' ? 'start-again' : 'style-again';
  button.textContent = tryAgain;
  // A module that failed to load stays failed until the page is reloaded.
  button.addEventListener('click', () => location.reload());
  place.append(text, ' ', button);
  return place;
};

const report = (error) => {
  console.error(error);
  document.querySelector('#app').replaceChildren(notice('not-started'));
};

// The message stands on its own line without the stylesheet, too. A host may answer a missing file with a page, so
// the answer alone does not show that the stylesheet is there.
addEventListener('load', () => {
  const isStyled = getComputedStyle(document.documentElement).getPropertyValue('--paper') !== '';
  if (!isStyled) document.body.prepend(notice('not-styled'));
});

// Paper shows the address, which style sheets cannot read. Results in links are too long for it.
addEventListener('beforeprint', () => {
  const { href, origin, pathname } = location;
  document.body.dataset.address = href.length < 500 ? href : origin + pathname;
});

import('./queens-web.js').then(({ default: init }) => init()).catch(report);

// Every view except Explore needs the second part of the module. It is fetched in parallel with the first one.
// If split.js is missing, the import above reports it, because queens-web.js imports it, too.
const view = new URLSearchParams(location.search).get('view') ?? 'explore';
if (view !== 'explore') import('./split.js').then(({ fetchEarly }) => fetchEarly(), () => {});
