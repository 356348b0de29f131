import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaKind } from '@/lib/templates/shown';
import { errorMessage } from '@/lib/toast';
import { uploadHeader } from './api';
import type { HeaderFile } from '@/lib/templates/filling';

/** The accepted files of a header (rules/messages §8); sizes in MB. */
export const HEADER_FILES: Readonly<
  Record<MediaKind, { accept: string; mimes: readonly string[]; limit: number }>
> = {
  image: { accept: '.png,.jpg,.jpeg', mimes: ['image/png', 'image/jpeg'], limit: 5 },
  video: { accept: '.mp4', mimes: ['video/mp4'], limit: 16 },
  document: { accept: '.pdf', mimes: ['application/pdf'], limit: 100 },
};
const MB = 1024 * 1024;

interface Uploading {
  name: string;
  size: number;
  /** 0 to 1; null after the upload. */
  progress: number | null;
}

/** The current file of a template's header. */
interface Held {
  file: HeaderFile | null;
  upload: Uploading | null;
  error: string;
}

const NOTHING: Held = { file: null, upload: null, error: '' };

/**
 * The file of a header: checked, uploaded at once, replaced and removed. Each template keeps its
 * own, identified by `key`.
 */
export function useHeaderFile(ticketId: number, key: string) {
  const { t } = useTranslation('templates');
  const [held, setHeld] = useState<Readonly<Record<string, Held>>>({});
  const running = useRef(new Map<string, { controller: AbortController; address: string }>());

  const forget = (name: string) => {
    const one = running.current.get(name);
    one?.controller.abort();
    if (one) URL.revokeObjectURL(one.address);
    running.current.delete(name);
  };
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { controller, address } of all.values()) {
        controller.abort();
        URL.revokeObjectURL(address);
      }
      all.clear();
    };
  }, []);

  const put = (change: Partial<Held>) =>
    setHeld((all) => ({ ...all, [key]: { ...NOTHING, ...all[key], ...change } }));
  const clear = () => {
    forget(key);
    put(NOTHING);
  };
  const setError = (error: string) => put({ error });

  const refusal = (kind: MediaKind, chosen: File): string => {
    const { mimes, limit } = HEADER_FILES[kind];
    if (!mimes.includes(chosen.type)) return t(`media.wrongType.${kind}`);
    if (chosen.size === 0) return t('media.empty', { name: chosen.name });
    return chosen.size > limit * MB ? t('media.tooLarge', { name: chosen.name, limit }) : '';
  };

  const choose = async (kind: MediaKind, chosen: File) => {
    clear();
    const words = refusal(kind, chosen);
    if (words) {
      setError(words);
      return;
    }
    const controller = new AbortController();
    const address = URL.createObjectURL(chosen);
    running.current.set(key, { controller, address });
    const { signal } = controller;
    const shown = { kind, name: chosen.name, url: address };
    const { name, size } = chosen;
    // The preview shows at once; the template can be sent when the provider has the file.
    put({ file: { ...shown, id: '' }, upload: { name, size, progress: 0 } });
    try {
      const { id } = await uploadHeader(ticketId, chosen, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) put({ upload: { name, size, progress } });
        },
      });
      if (signal.aborted) return;
      put({ file: { ...shown, id }, upload: { name, size, progress: null } });
    } catch (caught) {
      if (signal.aborted) return;
      clear();
      setError(errorMessage(caught));
    }
  };

  return {
    ...(held[key] ?? NOTHING),
    /** Whether any template has a file. */
    hasAny: Object.values(held).some(({ upload }) => upload !== null),
    setError,
    choose,
    clear,
  };
}

export type HeaderFileState = ReturnType<typeof useHeaderFile>;
