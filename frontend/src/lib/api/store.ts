interface PutOptions {
  signal: AbortSignal;
  /** Called with the share that has left the browser, 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Brings a file to the store at an address that the server has signed; no token of ours goes there.
 * Returns whether the store took it.
 */
export function putAtStore(
  url: string,
  headers: Record<string, string>,
  file: File,
  { signal, onProgress }: PutOptions,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // fetch cannot tell how much of a body has been sent; XMLHttpRequest can.
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    xhr.onload = () => resolve(xhr.status < 300);
    xhr.onerror = () => resolve(false);
    xhr.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    signal.addEventListener('abort', () => xhr.abort());
    xhr.send(file);
  });
}
