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
})();
