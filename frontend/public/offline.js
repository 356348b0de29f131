(function () {
  var TEXTS = {
    en: {
      lang: 'en',
      title: 'Offline',
      heading: 'Balcão cannot be reached',
      text: 'What you wrote is kept in this browser. This page opens again as soon as the connection is back.',
      button: 'Try now',
    },
    es: {
      lang: 'es',
      title: 'Sin conexión',
      heading: 'Sin conexión con Balcão',
      text: 'Lo que escribiste está guardado en este navegador. Esta página se abre de nuevo en cuanto vuelva la conexión.',
      button: 'Probar ahora',
    },
  };
  var RETRY_MS = 5000;

  var language = navigator.language.slice(0, 2);
  try {
    language = localStorage.getItem('language') || language;
  } catch {
    /* storage is blocked: follow the browser */
  }
  var texts = TEXTS[language];
  if (texts) {
    document.documentElement.lang = texts.lang;
    document.title = texts.title + ' · Balcão';
    document.querySelector('h1').textContent = texts.heading;
    document.querySelector('p').textContent = texts.text;
    document.querySelector('button').textContent = texts.button;
  }

  function open() {
    location.reload();
  }
  function look() {
    fetch('/health/', { cache: 'no-store' }).then(function (answer) {
      if (answer.ok) open();
    }, Boolean);
  }
  document.querySelector('button').addEventListener('click', open);
  addEventListener('online', look);
  setInterval(look, RETRY_MS);
})();
