import { chakra } from '@chakra-ui/react';
import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { playerAddress, providerOf, watchAddress } from './player';
import type { Help } from './types';

/** Plays a film; Escape or a click outside closes it. */
export function HelpPlayer({ help, onClose }: { help: Help; onClose: () => void }) {
  const { t } = useTranslation('helps');
  const [isLoaded, setLoaded] = useState(false);
  const { stage, frame } = useKeysHere();
  return (
    <Dialog open onClose={onClose} title={help.title} size="lg" low>
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.div
          ref={stage}
          tabIndex={-1}
          outline="none"
          position="relative"
          w="full"
          // Limits the width so that the whole film fits the screen's height.
          maxW="calc((100dvh - 260px) * 16 / 9)"
          minW="min(100%, 280px)"
          mx="auto"
          aspectRatio="16 / 9"
          borderRadius="md"
          overflow="hidden"
          bg="bg.subtle"
        >
          {!isLoaded && (
            <chakra.div
              role="status"
              aria-label={t('loadingVideo')}
              position="absolute"
              inset="0"
              display="flex"
              alignItems="center"
              justifyContent="center"
              color="fg.muted"
            >
              <Spinner />
            </chakra.div>
          )}
          <chakra.iframe
            ref={frame}
            title={t('videoOf', { title: help.title })}
            src={playerAddress(help.video, HTML_LANG[currentLanguage()])}
            // YouTube refuses to play without a referrer (its error 153); only this page's origin
            // is sent, never a path.
            referrerPolicy="strict-origin-when-cross-origin"
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
            onLoad={() => setLoaded(true)}
            position="absolute"
            inset="0"
            w="full"
            h="full"
            border="0"
          />
        </chakra.div>
        {help.description && (
          <chakra.p textStyle="sm" whiteSpace="pre-line" overflowWrap="anywhere">
            {help.description}
          </chakra.p>
        )}
        <chakra.a
          href={watchAddress(help.video)}
          target="_blank"
          rel="noopener noreferrer"
          display="inline-flex"
          alignItems="center"
          alignSelf="flex-start"
          gap="1.5"
          minH={{ base: '11', sm: '6' }}
          textStyle="sm"
          color="brand.fg"
          _hover={{ textDecoration: 'underline' }}
        >
          {t(`watchAt.${providerOf(help.video)}`)}
          <ExternalLink size={16} aria-hidden />
        </chakra.a>
      </chakra.div>
    </Dialog>
  );
}

/**
 * Returns the focus to the dialog when the pointer presses in the player, which would receive
 * Escape; a user who enters it by Tab stays there.
 */
function useKeysHere() {
  const stage = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let isByKey = false;
    const onKeyDown = (event: KeyboardEvent) => {
      isByKey = event.key === 'Tab';
    };
    const onPointer = () => {
      isByKey = false;
    };
    // The window's blur is the only event when the player gets the focus.
    const onBlur = () => {
      if (isByKey) return;
      requestAnimationFrame(() => {
        if (document.activeElement === frame.current) stage.current?.focus({ preventScroll: true });
      });
    };
    window.addEventListener('keydown', onKeyDown, true);
    window.addEventListener('pointermove', onPointer, true);
    window.addEventListener('blur', onBlur);
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      window.removeEventListener('pointermove', onPointer, true);
      window.removeEventListener('blur', onBlur);
    };
  }, []);
  return { stage, frame };
}
