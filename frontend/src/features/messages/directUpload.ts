import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { putAtStore } from '@/lib/api/store';
import type { components } from '@/lib/api/schema';

type Offer = components['schemas']['UploadOffer'];

/** Smaller files go with the call: a second call costs more than their way through the server. */
export const LEAST_DIRECT_BYTES = 1024 * 1024;

let isOff = false;

/** For tests. */
export const forgetThatItIsOff = () => {
  isOff = false;
};

/**
 * Brings a file to the store; returns its name for `uploads`, or null if it has to go with the
 * call: it is small, the server offers no store, or the store cannot be reached from here.
 */
export async function bringFile(
  ticketId: number,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<string | null> {
  if (isOff || file.size < LEAST_DIRECT_BYTES) return null;
  try {
    const offer = await api.post<Offer>(
      `/messages/${ticketId}/uploads`,
      { name: file.name, mime: file.type, size: file.size },
      { signal },
    );
    const isThere = await putAtStore(offer.url, offer.headers, file, { signal, onProgress });
    return isThere ? offer.id : null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ERR_DIRECT_UPLOAD_OFF') throw error;
    isOff = true;
    return null;
  }
}
