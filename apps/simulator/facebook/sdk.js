// A fake of Facebook's JavaScript SDK, with the two functions that embedded signup needs.
(() => {
  const window_url = new URL('signup.html', document.currentScript.src);
  window.FB = {
    init() {},
    login(callback, options) {
      const url = new URL(window_url);
      url.searchParams.set('extras', JSON.stringify(options.extras ?? {}));
      const opened = window.open(url, 'facebook-signup', 'width=560,height=720');
      if (!opened) return;
      let code = null;
      const hear = (event) => {
        if (event.source === opened && event.data?.type === 'simulated_code') code = event.data.code;
      };
      window.addEventListener('message', hear);
      const timer = setInterval(() => {
        if (!opened.closed) return;
        clearInterval(timer);
        window.removeEventListener('message', hear);
        callback(
          code
            ? { status: 'connected', authResponse: { code } }
            : { status: 'unknown', authResponse: null },
        );
      }, 100);
    },
  };
  window.fbAsyncInit?.();
})();
