import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaKind } from '@/components/TemplateCard';
import { errorMessage } from '@/lib/toast';
import { uploadHeader } from './api';
import type { HeaderFile } from './filling';

/** What a header takes (rules/messages §8); sizes in MB. */
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
  /** 0 to 1; null once it is there. */
  progress: number | null;
}

/** The file of a header: checked, uploaded at once, replaced and taken away again. */
export function useHeaderFile(ticketId: number) {
  const { t } = useTranslation('templates');
  const [file, setFile] = useState<HeaderFile | null>(null);
  const [upload, setUpload] = useState<Uploading | null>(null);
  const [error, setError] = useState('');
  const controller = useRef<AbortController | null>(null);
  const address = useRef<string | null>(null);

  const forget = () => {
    controller.current?.abort();
    if (address.current) URL.revokeObjectURL(address.current);
    controller.current = address.current = null;
  };
  useEffect(() => forget, []);

  const clear = () => {
    forget();
    setFile(null);
    setUpload(null);
    setError('');
  };

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
    const own = new AbortController();
    controller.current = own;
    address.current = URL.createObjectURL(chosen);
    const shown = { kind, name: chosen.name, url: address.current };
    // The picture is seen at once; it can go when the provider has it.
    setFile({ ...shown, id: '' });
    const { name, size } = chosen;
    setUpload({ name, size, progress: 0 });
    try {
      const { id } = await uploadHeader(ticketId, chosen, {
        signal: own.signal,
        onProgress: (progress) => {
          if (!own.signal.aborted) setUpload({ name, size, progress });
        },
      });
      if (own.signal.aborted) return;
      setFile({ ...shown, id });
      setUpload({ name, size, progress: null });
    } catch (caught) {
      if (own.signal.aborted) return;
      clear();
      setError(errorMessage(caught));
    }
  };

  return { file, upload, error, setError, choose, clear };
}

export type HeaderFileState = ReturnType<typeof useHeaderFile>;
