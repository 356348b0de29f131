/** Has the browser save a file that was fetched. */
export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Some browsers begin to read it after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
