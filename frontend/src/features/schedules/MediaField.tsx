import { chakra } from '@chakra-ui/react';
import { Paperclip, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { refusalOf } from '@/lib/files';
import { formatBytes } from '@/lib/format';
import { mediaAddress, type Schedule } from './api';

export interface ChosenFile {
  name: string;
  /** Where it can be looked at. */
  address: string;
  /** New, not on the server yet. */
  file?: File;
}

/** The file that a stored schedule has. */
export function fileOf(schedule: Schedule | undefined): ChosenFile | null {
  const address = schedule && mediaAddress(schedule);
  return address ? { name: schedule.mediaName ?? '', address } : null;
}

export const isPicture = ({ name }: ChosenFile) => /\.(jpe?g|png|webp|gif)$/i.test(name);

interface MediaFieldProps {
  file: ChosenFile | null;
  readOnly: boolean;
  /** The share that has left, while it is uploaded. */
  progress: number | null;
  onChoose: (file: ChosenFile) => void;
  onRemove: () => void;
}

/** The one file of a schedule: attach, replace, remove; what cannot be sent is told here. */
export function MediaField({ file, readOnly, progress, onChoose, onRemove }: MediaFieldProps) {
  const { t } = useTranslation(['schedules', 'messages']);
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState('');
  const madeUrl = useRef('');
  useEffect(() => () => URL.revokeObjectURL(madeUrl.current), []);

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const refused = refusalOf(chosen);
    setRefusal(refused ? t(`messages:files.${refused.reason}`, { ...refused }) : '');
    if (refused) return;
    URL.revokeObjectURL(madeUrl.current);
    madeUrl.current = URL.createObjectURL(chosen);
    onChoose({ name: chosen.name, address: madeUrl.current, file: chosen });
  };

  if (readOnly && !file) return null;
  return (
    <chakra.div>
      <chakra.div textStyle="sm" fontWeight="semibold" mb="1.5">
        {t('fields.media')}
      </chakra.div>
      {file ? (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2"
          ps="3"
          pe="1"
          minH="11"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
          position="relative"
          overflow="hidden"
        >
          <chakra.span display="flex" flexShrink="0" color="fg.muted">
            <Paperclip size={16} aria-hidden />
          </chakra.span>
          <chakra.a
            href={file.address}
            target="_blank"
            rel="noopener noreferrer"
            flex="1"
            minW="0"
            textStyle="sm"
            fontWeight="medium"
            truncate
            _hover={{ textDecoration: 'underline' }}
          >
            {file.name}
          </chakra.a>
          {file.file && (
            <chakra.span textStyle="xs" color="fg.muted" whiteSpace="nowrap">
              {formatBytes(file.file.size)}
            </chakra.span>
          )}
          {!readOnly && (
            <>
              <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
                {t('fields.replaceMedia')}
              </Button>
              <IconButton
                label={t('fields.removeMedia')}
                size="sm"
                icon={<X size={16} />}
                onClick={onRemove}
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
              h="0.5"
              bg="brand.solid"
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
          {t('fields.attachMedia')}
        </Button>
      )}
      {refusal && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg" mt="1.5">
          {refusal}
        </chakra.p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden
        data-testid="schedule-media"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </chakra.div>
  );
}
