import { chakra } from '@chakra-ui/react';
import { CircleCheck, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TOASTS_TOP } from '@/lib/toast';
import { useConnection } from '@/stores/connection';
import { short } from '@/theme/screens';

/** A shorter interruption is not reported. */
const PATIENCE_MS = 1500;
const RESTORED_MS = 3000;

/** Below the head of an open conversation, like the notices. */
const UNDER_HEAD = `calc(var(${TOASTS_TOP}, 0px) + 4px)`;

interface ConnectionBannerProps {
  /** On narrow screens the conversation is shown alone, without the top bar. */
  isBare: boolean;
}

/**
 * Reports that the live channel is lost and, for a moment, that it is back. It overlays the top bar
 * or, without one, lies below the head of the conversation: nothing moves when it appears or
 * disappears, and clicks pass through it.
 */
export function ConnectionBanner({ isBare }: ConnectionBannerProps) {
  const { t } = useTranslation();
  const state = useConnection((connection) => connection.state);
  const [shown, setShown] = useState<'nothing' | 'lost' | 'restored'>('nothing');

  useEffect(() => {
    if (state === 'lost') {
      const timer = setTimeout(() => setShown('lost'), PATIENCE_MS);
      return () => clearTimeout(timer);
    }
    if (state === 'connected') {
      const now = setTimeout(
        () => setShown((before) => (before === 'lost' ? 'restored' : 'nothing')),
        0,
      );
      const later = setTimeout(() => setShown('nothing'), RESTORED_MS);
      return () => {
        clearTimeout(now);
        clearTimeout(later);
      };
    }
  }, [state]);

  const lost = shown === 'lost';
  return (
    <chakra.div
      role="status"
      position={{ base: isBare ? 'fixed' : 'absolute', sm: 'absolute' }}
      top={{ base: isBare ? UNDER_HEAD : '0', sm: '0' }}
      h={{ base: isBare ? 'auto' : 'topBar', sm: 'topBar' }}
      css={isBare && { [short]: { position: 'fixed', top: UNDER_HEAD, height: 'auto' } }}
      insetX="0"
      zIndex="docked"
      display="flex"
      alignItems="center"
      justifyContent="center"
      // Keeps the menu button and the account button visible.
      px={{ base: isBare ? '4' : '14', sm: '14' }}
      pointerEvents="none"
    >
      {shown !== 'nothing' && (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2"
          px="3"
          py="1"
          borderWidth="1px"
          borderColor={lost ? 'status.waiting.fg' : 'status.live.fg'}
          borderRadius="md"
          boxShadow="popover"
          textStyle={{ base: 'xs', sm: 'sm' }}
          fontWeight="medium"
          bg={lost ? 'status.waiting.subtle' : 'status.live.subtle'}
          color={lost ? 'status.waiting.fg' : 'status.live.fg'}
        >
          <chakra.span display="flex" flexShrink="0">
            {lost ? <WifiOff size={16} /> : <CircleCheck size={16} />}
          </chakra.span>
          {lost ? t('connection.lost') : t('connection.restored')}
        </chakra.div>
      )}
    </chakra.div>
  );
}
