import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { kindOfFile, MAX_FILES, refusalOf } from '@/lib/files';
import { newClientId } from './outbox';

export interface Attachment {
  id: string;
  file: File;
  /** A picture of it, for images. */
  previewUrl: string | null;
}

function release(attachments: readonly Attachment[]) {
  for (const { previewUrl } of attachments) if (previewUrl) URL.revokeObjectURL(previewUrl);
}

/** The files that wait beside the input; what cannot be sent is refused in words. */
export function useAttachments() {
  const { t } = useTranslation('messages');
  const [attachments, setAttachments] = useState<Attachment[]>([]);
  const latest = useRef(attachments);
  useEffect(() => {
    latest.current = attachments;
  });
  useEffect(() => () => release(latest.current), []);

  const add = (files: readonly File[]) => {
    const accepted: Attachment[] = [];
    for (const file of files) {
      const refusal = refusalOf(file);
      if (refusal) {
        toast.errorText(t(`files.${refusal.reason}`, { ...refusal }));
      } else if (attachments.length + accepted.length >= MAX_FILES) {
        toast.errorText(t('files.tooMany', { limit: MAX_FILES }));
        break;
      } else {
        const isImage = kindOfFile(file) === 'image';
        accepted.push({
          id: newClientId(),
          file,
          previewUrl: isImage ? URL.createObjectURL(file) : null,
        });
      }
    }
    if (accepted.length > 0) setAttachments((before) => [...before, ...accepted]);
  };
  const remove = (id: string) => {
    release(attachments.filter((attachment) => attachment.id === id));
    setAttachments((before) => before.filter((attachment) => attachment.id !== id));
  };
  /** Takes all of them, to be sent. */
  const take = (): File[] => {
    release(attachments);
    setAttachments([]);
    return attachments.map(({ file }) => file);
  };
  return { attachments, add, remove, take };
}
