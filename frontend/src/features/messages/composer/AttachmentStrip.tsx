import { chakra } from '@chakra-ui/react';
import { FileText, Mic, Text, Video, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '@/lib/format';
import { touch } from '@/theme/screens';
import type { Attachment } from './composition';

interface AttachmentStripProps {
  attachments: readonly Attachment[];
  selectedId: string | null;
  onSelect: (id: string) => void;
  onRemove: (id: string) => void;
}

const ICONS = { audio: Mic, video: Video, application: FileText, image: FileText };

/** The files about to be sent; the input below holds the caption of the chosen one. */
export function AttachmentStrip(props: AttachmentStripProps) {
  const { attachments, selectedId, onSelect, onRemove } = props;
  const { t } = useTranslation('messages');
  const several = attachments.length > 1;
  const place = attachments.findIndex(({ id }) => id === selectedId);
  const selected = attachments[place];
  return (
    <chakra.div>
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
        {attachments.map((attachment) => {
          const { id, name, size, kind, previewUrl, caption } = attachment;
          const Icon = ICONS[kind];
          const isSelected = several && id === selectedId;
          return (
            <chakra.li
              key={id}
              position="relative"
              flexShrink="0"
              h="16"
              borderRadius="md"
              borderWidth="1px"
              borderColor={isSelected ? 'brand.fg' : 'border.strong'}
              bg={isSelected ? 'brand.subtle' : 'bg.subtle'}
              outline={isSelected ? '1px solid' : undefined}
              outlineColor="brand.fg"
              overflow="hidden"
              {...(previewUrl ? { w: '16' } : { w: '200px' })}
              // Large enough for a finger to hit the file and its remove button.
              css={{ [touch]: { h: '24', ...(previewUrl && { w: '24' }) } }}
            >
              <Choice
                isButton={several}
                isSelected={isSelected}
                title={caption ? `${name}, ${t('files.caption', { caption })}` : name}
                onClick={() => onSelect(id)}
              >
                {previewUrl ? (
                  <chakra.img src={previewUrl} alt={name} w="full" h="full" objectFit="cover" />
                ) : (
                  <chakra.span display="flex" alignItems="center" gap="2" ps="3" pe="9" h="full">
                    <chakra.span flexShrink="0" display="flex" color="fg.muted">
                      <Icon size={20} aria-hidden />
                    </chakra.span>
                    <chakra.span minW="0" textAlign="start">
                      <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate>
                        {name}
                      </chakra.span>
                      <chakra.span display="block" textStyle="xs" color="fg.muted">
                        {formatBytes(size)}
                      </chakra.span>
                    </chakra.span>
                  </chakra.span>
                )}
                {several && caption && (
                  <chakra.span srOnly>, {t('files.caption', { caption })}</chakra.span>
                )}
              </Choice>
              {several && caption && (
                <chakra.span
                  aria-hidden
                  position="absolute"
                  bottom="1"
                  insetStart="1"
                  display="flex"
                  p="0.5"
                  borderRadius="xs"
                  bg="bg.raised"
                  color="brand.fg"
                  pointerEvents="none"
                >
                  <Text size={14} />
                </chakra.span>
              )}
              <chakra.button
                type="button"
                aria-label={t('files.remove', { name })}
                title={t('files.remove', { name })}
                onClick={() => onRemove(id)}
                position="absolute"
                top="1"
                insetEnd="1"
                w="6"
                h="6"
                css={{
                  [touch]: {
                    minH: '0',
                    minW: '0',
                    _after: {
                      content: '""',
                      position: 'absolute',
                      top: '-5px',
                      insetEnd: '-5px',
                      w: '11',
                      h: '11',
                    },
                  },
                }}
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
      {several && selected && (
        <chakra.p px="4" pt="1" textStyle="xs" color="fg.muted" truncate>
          {t('files.captionOf', {
            name: selected.name,
            place: place + 1,
            count: attachments.length,
          })}
        </chakra.p>
      )}
    </chakra.div>
  );
}

interface ChoiceProps {
  isButton: boolean;
  isSelected: boolean;
  /** The full name, which is truncated. */
  title: string;
  onClick: () => void;
  children: React.ReactNode;
}

/** A button only if there are several files to choose from. */
function Choice({ isButton, isSelected, title, onClick, children }: ChoiceProps) {
  if (!isButton) return children;
  return (
    <chakra.button
      type="button"
      aria-pressed={isSelected}
      title={title}
      onClick={onClick}
      display="block"
      w="full"
      h="full"
      cursor="pointer"
      _focusVisible={{
        outline: '2px solid',
        outlineColor: 'brand.fg',
        outlineOffset: '-2px',
      }}
    >
      {children}
    </chakra.button>
  );
}
