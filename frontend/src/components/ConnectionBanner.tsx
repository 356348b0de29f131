import { chakra } from '@chakra-ui/react';
import { CircleCheck, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '@/stores/connection';

/** A blink of the network is not worth a word. */
const PATIENCE_MS = 1500;
const RESTORED_MS = 3000;

/** Says that the live channel is lost, and for a moment that it is back. */
export function ConnectionBanner() {
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
    <chakra.div role="status" flexShrink="0">
      {shown !== 'nothing' && (
        <chakra.div
          display="flex"
          alignItems="center"
          justifyContent="center"
          gap="2"
          px="4"
          py="1.5"
          textStyle="sm"
          fontWeight="medium"
          bg={lost ? 'status.waiting.subtle' : 'status.live.subtle'}
          color={lost ? 'status.waiting.fg' : 'status.live.fg'}
        >
          {lost ? <WifiOff size={16} /> : <CircleCheck size={16} />}
          {lost ? t('connection.lost') : t('connection.restored')}
        </chakra.div>
      )}
    </chakra.div>
  );
}
