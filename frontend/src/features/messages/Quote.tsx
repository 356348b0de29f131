import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { KIND_ICONS } from './kinds';
import { isAutomatic } from './sources';
import type { QuotedMessage } from './types';
import { useSummary } from './useSummary';

interface QuoteProps {
  quoted: QuotedMessage;
  /** Jumps to the quoted message; omitted if that is not loaded. */
  onJump?: (() => void) | undefined;
}

/** Returns the display name of a quoted message's author. */
export function useAuthor() {
  const { t } = useTranslation('messages');
  return (message: QuotedMessage) =>
    message.fromMe
      ? (message.userName ??
        (isAutomatic(message.source) ? t(`sources.${message.source}`) : t('us')))
      : (message.participant?.name ?? message.contact.name);
}

/** The quoted message, inside the reply and above the input. */
export function Quote({ quoted, onJump }: QuoteProps) {
  const { t } = useTranslation('messages');
  const author = useAuthor()(quoted);
  const summaryOf = useSummary();
  const Icon = quoted.isDeleted ? undefined : KIND_ICONS[quoted.mediaType];
  const isPicture = quoted.mediaType === 'image' || quoted.mediaType === 'sticker';
  const style = {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    w: 'full',
    minW: '0',
    textAlign: 'start',
    borderRadius: 'sm',
    borderStartWidth: '3px',
    borderColor: 'brand.fg',
    bg: 'brand.fg/8',
    ps: '2.5',
    pe: '1.5',
    py: '1',
    overflow: 'hidden',
  } as const;
  const content = (
    <>
      <chakra.span flex="1" minW="0" display="block">
        <chakra.span display="block" textStyle="sm" fontWeight="semibold" color="brand.fg" truncate>
          {author}
        </chakra.span>
        <chakra.span
          display="flex"
          alignItems="center"
          gap="1"
          textStyle="sm"
          color="fg.muted"
          minW="0"
        >
          {Icon && (
            <chakra.span flexShrink="0" display="flex">
              <Icon size={15} aria-hidden />
            </chakra.span>
          )}
          <chakra.span truncate>{summaryOf(quoted)}</chakra.span>
        </chakra.span>
      </chakra.span>
      {isPicture && quoted.mediaUrl && !quoted.isDeleted && (
        <chakra.img
          src={quoted.mediaUrl}
          alt=""
          w="9"
          h="9"
          flexShrink="0"
          objectFit="cover"
          borderRadius="xs"
        />
      )}
    </>
  );
  if (!onJump) return <chakra.div {...style}>{content}</chakra.div>;
  return (
    <chakra.button
      type="button"
      {...style}
      onClick={onJump}
      title={t('jumpToQuoted')}
      cursor="pointer"
      _hover={{ bg: 'brand.fg/14' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
    >
      {content}
    </chakra.button>
  );
}
