import { chakra } from '@chakra-ui/react';
import { FileText, Image, Paperclip, Video, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field, useFieldProps } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import type { MediaKind } from '@/lib/templates/shown';
import { formatBytes } from '@/lib/format';
import { HEADER_FILES, type HeaderFileState } from './useHeaderFile';

const ICONS = { image: Image, video: Video, document: FileText } as const;

interface HeaderUploadProps {
  kind: MediaKind;
  state: HeaderFileState;
}

/** The upload field for a header's file, with its constraints in words. */
export function HeaderUpload({ kind, state }: HeaderUploadProps) {
  const { t } = useTranslation('templates');
  return (
    <Field
      required
      label={t(`common:headerMedia.${kind}`)}
      help={t(`media.rule.${kind}`)}
      error={state.error || undefined}
    >
      <Control kind={kind} state={state} />
    </Field>
  );
}

function Control({ kind, state }: HeaderUploadProps) {
  const { t } = useTranslation('templates');
  const input = useRef<HTMLInputElement>(null);
  const field = useFieldProps();
  const Icon = ICONS[kind];
  const { upload } = state;
  const isUploading = upload !== null && upload.progress !== null;
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        data-testid="header-file"
        accept={HEADER_FILES[kind].accept}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void state.choose(kind, file);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
      {upload === null ? (
        <chakra.div
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            const [file] = event.dataTransfer.files;
            if (file) void state.choose(kind, file);
          }}
        >
          <Button
            {...field}
            variant="outline"
            w="full"
            borderStyle="dashed"
            icon={<Paperclip size={16} />}
            // The accessible name: the button's text, and the kind and limits of the file.
            aria-label={`${t(`media.attach.${kind}`)}: ${t(`common:headerMedia.${kind}`)}`}
            onClick={() => input.current?.click()}
          >
            {t(`media.attach.${kind}`)}
          </Button>
        </chakra.div>
      ) : (
        <chakra.div
          position="relative"
          overflow="hidden"
          display="flex"
          alignItems="center"
          gap="2.5"
          minH="11"
          ps="3"
          pe="1"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="md"
        >
          <chakra.span display="flex" color="fg.muted" flexShrink="0">
            <Icon size={20} aria-hidden />
          </chakra.span>
          <chakra.div flex="1" minW="0">
            <chakra.div textStyle="sm" fontWeight="medium" truncate title={upload.name}>
              {upload.name}
            </chakra.div>
            <chakra.div textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
              {isUploading
                ? `${Math.round((upload.progress ?? 0) * 100)} %`
                : formatBytes(upload.size)}
            </chakra.div>
          </chakra.div>
          {!isUploading && (
            <Button
              {...field}
              size="sm"
              variant="ghost"
              aria-label={`${t('media.replace')}: ${upload.name}`}
              onClick={() => input.current?.click()}
            >
              {t('media.replace')}
            </Button>
          )}
          <IconButton
            label={isUploading ? t('media.cancel') : t('media.remove', { name: upload.name })}
            icon={<X size={16} />}
            size="sm"
            onClick={state.clear}
          />
          {isUploading && (
            <chakra.span
              role="progressbar"
              aria-label={t('media.uploading', { name: upload.name })}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.round((upload.progress ?? 0) * 100)}
              position="absolute"
              insetStart="0"
              bottom="0"
              h="3px"
              bg="brand.solid"
              style={{ width: `${(upload.progress ?? 0) * 100}%` }}
            />
          )}
        </chakra.div>
      )}
    </>
  );
}
