import { chakra } from '@chakra-ui/react';
import { CircleCheck, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TOASTS_TOP } from '@/lib/toast';
import { useConnection } from '@/stores/connection';
import { short } from '@/theme/screens';

/** A blink of the network is not worth a word. */
const PATIENCE_MS = 1500;
const RESTORED_MS = 3000;

/** Where the head of an open conversation ends, as for the notices. */
const UNDER_HEAD = `calc(var(${TOASTS_TOP}, 0px) + 4px)`;

interface ConnectionBannerProps {
  /** On narrow screens the conversation alone is there, without the top bar. */
  isBare: boolean;
}

/**
 * Says that the live channel is lost, and for a moment that it is back. It lies over the top bar,
 * or under the head of the conversation where that is all there is: nothing moves when it comes or
 * goes, and what lies under it can be pressed.
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
      // The way to the menu and the account's stay in sight.
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
