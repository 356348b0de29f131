import { chakra } from '@chakra-ui/react';
import { FileText, Image, Mic, Paperclip, Video, X, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { kindOfMime, LIMITS_MB, refusalOf, type FileKind } from '@/lib/files';
import { formatBytes } from '@/lib/format';
import { fileAddress, type QuickMessage } from './api';

export interface ChosenFile {
  name: string;
  mime: string;
  size: number;
  /** Where it can be looked at. */
  address: string;
  /** New, not on the server yet. */
  file?: File;
}

/** The file that a stored quick message has. */
export function fileOf(stored: QuickMessage | undefined): ChosenFile | null {
  const address = stored && fileAddress(stored);
  if (!stored || !address) return null;
  return {
    name: stored.mediaName ?? '',
    mime: stored.mediaMime ?? '',
    size: stored.mediaSize ?? 0,
    address,
  };
}

const ICONS: Record<FileKind, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
};

interface FilePickerProps {
  file: ChosenFile | null;
  readOnly: boolean;
  /** The share that has left, while it is uploaded. */
  progress: number | null;
  onChange: (file: ChosenFile | null) => void;
}

/** The one file of a quick message: attach, replace, remove; what cannot be sent is told here. */
export function FilePicker({ file, readOnly, progress, onChange }: FilePickerProps) {
  const { t } = useTranslation(['quickMessages', 'messages']);
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState('');
  const madeUrl = useRef<string | null>(null);
  useEffect(
    () => () => {
      if (madeUrl.current) URL.revokeObjectURL(madeUrl.current);
    },
    [],
  );

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const refused = refusalOf(chosen);
    setRefusal(refused ? t(`messages:files.${refused.reason}`, { ...refused }) : '');
    if (refused) return;
    if (madeUrl.current) URL.revokeObjectURL(madeUrl.current);
    madeUrl.current = URL.createObjectURL(chosen);
    const { name, type, size } = chosen;
    onChange({ name, mime: type, size, address: madeUrl.current, file: chosen });
  };
  const Icon = file ? ICONS[kindOfMime(file.mime)] : Paperclip;

  if (readOnly && !file) return null;
  return (
    <chakra.div>
      <chakra.div textStyle="sm" fontWeight="semibold" mb="1.5">
        {t('fields.file')}
      </chakra.div>
      {file ? (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="3"
          ps="3"
          pe="1.5"
          py="1.5"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
          position="relative"
          overflow="hidden"
        >
          <chakra.span display="flex" flexShrink="0" color="fg.muted">
            <Icon size={20} aria-hidden />
          </chakra.span>
          <chakra.span flex="1" minW="0">
            <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate>
              {file.name}
            </chakra.span>
            <chakra.span display="block" textStyle="xs" color="fg.muted">
              {formatBytes(file.size)}
            </chakra.span>
          </chakra.span>
          {!readOnly && (
            <>
              <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
                {t('fields.replaceFile')}
              </Button>
              <IconButton
                label={t('fields.removeFile')}
                size="sm"
                icon={<X size={16} />}
                onClick={() => {
                  setRefusal('');
                  onChange(null);
                }}
              />
            </>
          )}
          {progress !== null && (
            <chakra.span
              role="progressbar"
              aria-label={t('fields.uploading')}
              aria-valuenow={Math.round(progress * 100)}
              position="absolute"
              insetStart="0"
              bottom="0"
              h="2px"
              bg="brand.solid"
              transition="width"
              transitionDuration="moderate"
              style={{ width: `${progress * 100}%` }}
            />
          )}
        </chakra.div>
      ) : (
        <Button
          variant="outline"
          icon={<Paperclip size={16} />}
          onClick={() => input.current?.click()}
        >
          {t('fields.attach')}
        </Button>
      )}
      {refusal && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg" mt="1.5">
          {refusal}
        </chakra.p>
      )}
      {!readOnly && (
        <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
          {t('fields.fileHelp', {
            image: LIMITS_MB.image,
            media: LIMITS_MB.video,
            file: LIMITS_MB.application,
          })}
        </chakra.p>
      )}
      <chakra.input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        data-testid="quick-message-file"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </chakra.div>
  );
}
