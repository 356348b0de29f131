(function () {
  var preferred = null;
  try {
    preferred = localStorage.getItem('preferredTheme');
  } catch {
    /* storage is blocked: follow the system */
  }
  var dark =
    preferred === 'dark' ||
    (preferred !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  var root = document.documentElement;
  root.classList.toggle('dark', dark);
  root.style.colorScheme = dark ? 'dark' : 'light';
  root.style.backgroundColor = dark ? '#0C1112' : '#F4F6F6';

  // What the inbox consists of comes while the first file is read.
  var inbox = document.currentScript.dataset.inbox;
  if (!inbox || location.pathname.indexOf('/tickets') !== 0) return;
  try {
    if (!localStorage.getItem('token')) return;
  } catch {
    return;
  }
  var base = document.currentScript.src.replace('theme.js', '');
  inbox.split(' ').forEach(function (file) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = base + file;
    document.head.append(link);
  });
})();
