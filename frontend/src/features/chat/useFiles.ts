import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newClientId } from '@/lib/clientId';
import { kindOfFile, MAX_FILES, refusalOf } from '@/lib/files';

export interface WaitingFile {
  id: string;
  file: File;
  /** A preview, for images. */
  previewUrl: string | null;
}

function release({ previewUrl }: WaitingFile) {
  if (previewUrl) URL.revokeObjectURL(previewUrl);
}

/** The attached files of a chat that are not sent yet, and why others cannot be attached. */
export function useFiles() {
  const { t } = useTranslation('chat');
  const [state, setState] = useState<{ files: WaitingFile[]; refusals: string[] }>({
    files: [],
    refusals: [],
  });
  const { files, refusals } = state;
  return {
    files,
    refusals,
    /** Attaches the files that can be sent and reports why the others cannot. */
    add: (added: readonly File[]) => {
      const accepted: WaitingFile[] = [];
      const refused: string[] = [];
      for (const file of added) {
        const refusal = refusalOf(file);
        if (refusal) refused.push(t(`composer.refused.${refusal.reason}`, { ...refusal }));
        else if (files.length + accepted.length >= MAX_FILES) {
          refused.push(t('composer.refused.tooMany', { limit: MAX_FILES }));
          break;
        } else
          accepted.push({
            id: newClientId(),
            file,
            previewUrl: kindOfFile(file) === 'image' ? URL.createObjectURL(file) : null,
          });
      }
      setState({ files: [...files, ...accepted], refusals: refused });
    },
    remove: (id: string) => {
      files.filter((each) => each.id === id).forEach(release);
      setState({ files: files.filter((each) => each.id !== id), refusals: [] });
    },
    /** Called after all files were handed to the outbox. */
    clear: () => {
      files.forEach(release);
      setState({ files: [], refusals: [] });
    },
  };
}

export type WaitingFiles = ReturnType<typeof useFiles>;
