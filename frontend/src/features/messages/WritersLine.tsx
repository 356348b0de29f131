import { chakra } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { plainText } from '@/lib/markup';
import type { Writers } from './writers';

/** Who else is writing to the contact just now, and what, above the input. */
export function WritersLine({ writers }: { writers: Writers }) {
  const { t } = useTranslation('messages');
  if (writers.length === 0) return null;
  return (
    <chakra.ul listStyleType="none" px="1" pb="2" display="flex" flexDirection="column" gap="1">
      {writers.map(({ writer, text }) => (
        <chakra.li
          key={writer.id}
          display="flex"
          alignItems="flex-start"
          gap="2"
          textStyle="xs"
          color="status.waiting.fg"
        >
          <chakra.span flexShrink="0" display="flex" pt="0.5">
            <Pencil size={14} aria-hidden />
          </chakra.span>
          <chakra.span minW="0">
            {/* The name alone is announced, once. */}
            <chakra.strong role="status" fontWeight="semibold">
              {t('writing.by', { name: writer.name })}
            </chakra.strong>{' '}
            <chakra.span lineClamp="2" overflowWrap="anywhere" color="fg.muted">
              {plainText(text)}
            </chakra.span>
          </chakra.span>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
