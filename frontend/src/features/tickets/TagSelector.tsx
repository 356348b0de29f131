import { chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '@/components/Popover';
import { Skeleton } from '@/components/States';
import { reach } from '@/theme/screens';
import type { Ticket } from './types';

const TagPicker = lazy(() => import('./TagPicker').then((file) => ({ default: file.TagPicker })));

/** The chip that opens the ticket's tags. */
export function TagSelector({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  return (
    <Popover
      label={t('tagPicker.label')}
      width="272px"
      placement="bottom-start"
      trigger={
        <chakra.button
          type="button"
          css={reach}
          display="inline-flex"
          alignItems="center"
          gap="1"
          flexShrink="0"
          h="6"
          px="2"
          textStyle="xs"
          fontWeight="medium"
          color="fg.muted"
          borderWidth="1px"
          borderStyle="dashed"
          borderColor="border.control"
          borderRadius="sm"
          cursor="pointer"
          _hover={{ color: 'fg.default', bg: 'bg.hover' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          aria-label={t('tagPicker.label')}
        >
          <Plus size={16} aria-hidden />
          {t('tagPicker.action')}
        </chakra.button>
      }
    >
      <Suspense fallback={<Skeleton display="block" h="8" />}>
        <TagPicker ticket={ticket} />
      </Suspense>
    </Popover>
  );
}
