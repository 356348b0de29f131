import { chakra } from '@chakra-ui/react';
import { Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { providerOf } from './player';
import type { Help } from './types';

interface HelpCardProps {
  help: Help;
  onPlay: () => void;
}

/**
 * A film. Its picture is drawn locally: nothing is requested from the video site before it is
 * played.
 */
export function HelpCard({ help, onPlay }: HelpCardProps) {
  const { t } = useTranslation('helps');
  return (
    <chakra.article
      className="group"
      position="relative"
      display="flex"
      flexDirection="column"
      h="full"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      transition="border-color"
      transitionDuration="fast"
      _hover={{ borderColor: 'border.strong' }}
    >
      <Cover>{t(`provider.${providerOf(help.video)}`)}</Cover>
      <chakra.div display="flex" flexDirection="column" gap="1" p="4" minW="0">
        <chakra.h2 textStyle="md" fontWeight="semibold" lineHeight="1.4">
          <chakra.button
            type="button"
            onClick={onPlay}
            textAlign="start"
            cursor="pointer"
            overflowWrap="anywhere"
            // The whole card can be pressed.
            _after={{ content: '""', position: 'absolute', inset: '0', borderRadius: 'md' }}
            _focusVisible={{
              outline: 'none',
              _after: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' },
            }}
          >
            <chakra.span srOnly>{t('watch')} </chakra.span>
            <chakra.span lineClamp="2" title={help.title}>
              {help.title}
            </chakra.span>
          </chakra.button>
        </chakra.h2>
        {help.description && (
          <chakra.p
            textStyle="sm"
            color="fg.muted"
            lineClamp="3"
            overflowWrap="anywhere"
            whiteSpace="pre-line"
          >
            {help.description}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.article>
  );
}

function Cover({ children }: { children: string }) {
  return (
    <chakra.div
      position="relative"
      display="flex"
      alignItems="center"
      justifyContent="center"
      aspectRatio="16 / 9"
      bg="brand.subtle"
    >
      <chakra.span
        aria-hidden
        display="flex"
        alignItems="center"
        justifyContent="center"
        w="14"
        h="14"
        ps="0.5"
        borderRadius="full"
        bg="brand.solid"
        color="brand.on"
        transition="transform"
        transitionDuration="fast"
        _groupHover={{ transform: 'scale(1.06)' }}
        _motionReduce={{ transition: 'none', transform: 'none' }}
      >
        <Play size={24} fill="currentColor" strokeWidth={0} />
      </chakra.span>
      <chakra.span
        position="absolute"
        bottom="2"
        insetEnd="3"
        textStyle="xs"
        fontWeight="medium"
        color="brand.fg"
      >
        {children}
      </chakra.span>
    </chakra.div>
  );
}
