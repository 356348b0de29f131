interface SaveOptions {
  /** What the browser shows instead of saving it does not replace the page. */
  newTab?: boolean;
}

/** Has the browser save what an address leads to. */
export function saveAddress(href: string, name: string, { newTab = false }: SaveOptions = {}) {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  if (newTab) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  link.click();
}

/** Has the browser save a file that was fetched. */
export function saveFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file);
  saveAddress(address, name);
  // Some browsers begin to read it after the click.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
