import { chakra } from '@chakra-ui/react';
import { FileText, Image, Mic, Paperclip, Video, X, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  fileAddress,
  kindOfFile,
  kindOfMime,
  LIMITS_MB,
  refusalOf,
  type FileKind,
} from '@/lib/files';
import { formatBytes } from '@/lib/format';
import { touch } from '@/theme/screens';
import { Button } from './Button';
import { IconButton } from './IconButton';

export interface ChosenFile {
  name: string;
  mime: string;
  size: number;
  /** The address at which the browser can show it. */
  address: string;
  /** Set for a new file that is not on the server yet. */
  file?: File;
}

interface Stored {
  mediaPath: string | null;
  mediaName: string | null;
  mediaMime: string | null;
  mediaSize: number | null;
}

/** Reads the file of a stored record. */
export function storedFile(stored: Stored | undefined): ChosenFile | null {
  if (!stored?.mediaPath) return null;
  const name = stored.mediaName ?? '';
  return {
    name,
    mime: stored.mediaMime ?? '',
    size: stored.mediaSize ?? 0,
    address: `${fileAddress(stored.mediaPath)}?name=${encodeURIComponent(name)}`,
  };
}

const ICONS: Record<FileKind, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
};

interface FileFieldProps {
  file: ChosenFile | null;
  readOnly: boolean;
  /** The uploaded share while the upload runs. */
  progress: number | null;
  /** Called with a chosen file; with null to remove the current one. */
  onChange: (file: ChosenFile | null) => void;
  /** Accepts images only. */
  pictures?: boolean;
}

const PICTURES = '.png,.jpg,.jpeg';
const isPicture = (file: File) => /\.(png|jpe?g)$/i.test(file.name) && kindOfFile(file) === 'image';

/** The one file of a message: attach, replace, remove; reports files that cannot be sent. */
export function FileField(props: FileFieldProps) {
  const { file, readOnly, progress, onChange, pictures = false } = props;
  const { t } = useTranslation(['common', 'messages']);
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
    if (pictures && !isPicture(chosen)) {
      setRefusal(t('file.onlyPictures'));
      return;
    }
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
        {t('file.label')}
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
            <chakra.a
              href={file.address}
              target="_blank"
              rel="noopener noreferrer"
              display="block"
              textStyle="sm"
              fontWeight="medium"
              truncate
              css={{ [touch]: { py: '3' } }}
              _hover={{ textDecoration: 'underline' }}
            >
              {file.name}
            </chakra.a>
            <chakra.span display="block" textStyle="xs" color="fg.muted">
              {formatBytes(file.size)}
            </chakra.span>
          </chakra.span>
          {!readOnly && (
            <>
              <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
                {t('file.replace')}
              </Button>
              <IconButton
                label={t('file.remove')}
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
              aria-label={t('file.uploading')}
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
          {t('file.attach')}
        </Button>
      )}
      {refusal && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg" mt="1.5">
          {refusal}
        </chakra.p>
      )}
      {!readOnly && (
        <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
          {pictures
            ? t('file.picturesHelp', { limit: LIMITS_MB.image })
            : t('file.help', {
                image: LIMITS_MB.image,
                media: LIMITS_MB.video,
                file: LIMITS_MB.application,
              })}
        </chakra.p>
      )}
      <chakra.input
        ref={input}
        type="file"
        {...(pictures && { accept: PICTURES })}
        hidden
        aria-hidden
        tabIndex={-1}
        data-testid="message-file"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
    </chakra.div>
  );
}
