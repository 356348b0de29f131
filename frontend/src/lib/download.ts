interface SaveOptions {
  /** Opens a new tab, so that a file that the browser displays does not replace the page. */
  newTab?: boolean;
}

/** Makes the browser save the file at an address. */
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

/** Makes the browser save a file that was fetched. */
export function saveFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file);
  saveAddress(address, name);
  // Some browsers start reading the file only after the click.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
