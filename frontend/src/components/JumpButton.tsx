import { chakra } from '@chakra-ui/react';
import { ArrowDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CountBadge } from './Badge';

/** Scrolls to the end of the conversation and shows the number of unseen messages. */
export function JumpButton({ unseen, onClick }: { unseen: number; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <chakra.div position="absolute" bottom="3" insetEnd={{ base: '4', sm: '6' }}>
      <chakra.button
        type="button"
        data-tooltip={t('thread.toBottom')}
        data-tooltip-side="left"
        aria-label={unseen > 0 ? t('thread.toBottomNew', { count: unseen }) : t('thread.toBottom')}
        onClick={onClick}
        position="relative"
        display="flex"
        alignItems="center"
        justifyContent="center"
        w="10"
        h="10"
        borderRadius="full"
        bg="bg.raised"
        color="fg.muted"
        boxShadow="popover"
        cursor="pointer"
        _hover={{ color: 'fg.default' }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
      >
        <ArrowDown size={20} aria-hidden />
        {unseen > 0 && (
          <chakra.span position="absolute" top="-1.5" insetEnd="-1">
            <CountBadge tone="brand" count={unseen} />
          </chakra.span>
        )}
      </chakra.button>
    </chakra.div>
  );
}
