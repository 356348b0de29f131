import { chakra } from '@chakra-ui/react';
import { FileText, Mic, Video, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '@/lib/format';
import type { Attachment } from './attachments';
import { kindOfFile } from '@/lib/files';

interface AttachmentStripProps {
  attachments: readonly Attachment[];
  onRemove: (id: string) => void;
}

const ICONS = { audio: Mic, video: Video, application: FileText, image: FileText };

/** The files about to be sent, above the input that holds their caption. */
export function AttachmentStrip({ attachments, onRemove }: AttachmentStripProps) {
  const { t } = useTranslation('messages');
  return (
    <chakra.ul
      aria-label={t('files.list')}
      display="flex"
      gap="2"
      overflowX="auto"
      px="3"
      pt="3"
      pb="1"
      listStyleType="none"
    >
      {attachments.map(({ id, file, previewUrl }) => {
        const Icon = ICONS[kindOfFile(file)];
        return (
          <chakra.li
            key={id}
            position="relative"
            flexShrink="0"
            display="flex"
            alignItems="center"
            gap="2"
            h="16"
            borderWidth="1px"
            borderRadius="md"
            overflow="hidden"
            bg="bg.subtle"
            {...(previewUrl ? { w: '16' } : { w: '200px', ps: '3', pe: '9' })}
          >
            {previewUrl ? (
              <chakra.img src={previewUrl} alt={file.name} w="full" h="full" objectFit="cover" />
            ) : (
              <>
                <chakra.span flexShrink="0" display="flex" color="fg.muted">
                  <Icon size={20} aria-hidden />
                </chakra.span>
                <chakra.span minW="0">
                  <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate>
                    {file.name}
                  </chakra.span>
                  <chakra.span display="block" textStyle="xs" color="fg.muted">
                    {formatBytes(file.size)}
                  </chakra.span>
                </chakra.span>
              </>
            )}
            <chakra.button
              type="button"
              aria-label={t('files.remove', { name: file.name })}
              title={t('files.remove', { name: file.name })}
              onClick={() => onRemove(id)}
              position="absolute"
              top="1"
              insetEnd="1"
              w="6"
              h="6"
              display="flex"
              alignItems="center"
              justifyContent="center"
              borderRadius="full"
              bg="bg.raised"
              color="fg.default"
              borderWidth="1px"
              cursor="pointer"
              _hover={{ bg: 'bg.subtle' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              <X size={14} aria-hidden />
            </chakra.button>
          </chakra.li>
        );
      })}
    </chakra.ul>
  );
}
