import { chakra } from '@chakra-ui/react';
import { Paperclip, Search } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TextInput } from '@/components/TextInput';
import type { QuickMessage } from '@/features/quickMessages/api';
import { paths } from '@/routes/paths';
import { target } from '@/theme/screens';
import { labelOf } from './quickMessageSearch';

export const LIST_ID = 'quick-answers';
export const optionId = (id: number) => `quick-answer-${id}`;

interface QuickAnswersProps {
  quickMessages: readonly QuickMessage[];
  /** Fills a text's variables with the values of this conversation. */
  fill: (text: string) => string;
  activeId: number | null;
  onActivate: (id: number) => void;
  onChoose: (chosen: QuickMessage) => void;
  /** If opened by its button, it has a search field of its own. */
  search: { text: string; onChange: (text: string) => void } | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
}

/** The list of quick messages above the input. */
export function QuickMessagePicker(props: QuickAnswersProps) {
  const { quickMessages, fill, activeId, onActivate, onChoose, search, onKeyDown, onClose } = props;
  const { t } = useTranslation('messages');
  const panel = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (activeId === null) return;
    list.current?.querySelector(`#${optionId(activeId)}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Element && !panel.current?.parentElement?.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [onClose]);

  return (
    <chakra.div
      ref={panel}
      position="absolute"
      bottom="calc(100% + 8px)"
      insetInline="0"
      zIndex="docked"
      display="flex"
      flexDirection="column"
      maxH="min(320px, 45vh)"
      borderRadius="lg"
      bg="bg.raised"
      boxShadow="popover"
      overflow="hidden"
    >
      <chakra.div
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        px="4"
        pt="2.5"
        pb="1"
        textStyle="xs"
        color="fg.muted"
      >
        <chakra.span fontWeight="medium">{t('quick.title')}</chakra.span>
        <chakra.span hideBelow="sm">{t('quick.hint')}</chakra.span>
      </chakra.div>
      {search && (
        <chakra.div px="2" pt="1" pb="2">
          <TextInput
            autoFocus
            size="sm"
            type="search"
            autoComplete="off"
            aria-label={t('quick.search')}
            placeholder={t('quick.search')}
            startIcon={<Search size={16} />}
            value={search.text}
            onChange={(event) => search.onChange(event.target.value)}
            onKeyDown={onKeyDown}
            aria-controls={LIST_ID}
            aria-activedescendant={activeId === null ? undefined : optionId(activeId)}
          />
        </chakra.div>
      )}
      {quickMessages.length === 0 ? (
        <chakra.p px="4" pb="4" pt="2" textStyle="sm" color="fg.muted">
          {search?.text ? t('quick.noneFound', { text: search.text }) : t('quick.none')}{' '}
          <chakra.span
            css={{
              '& a': { color: 'brand.fg', fontWeight: 'medium', textDecoration: 'underline' },
            }}
          >
            <Link to={paths.quickMessages}>{t('quick.manage')}</Link>
          </chakra.span>
        </chakra.p>
      ) : (
        <chakra.div
          ref={list}
          id={LIST_ID}
          role="listbox"
          aria-label={t('quick.title')}
          // Focusable, so that keys can scroll a long text.
          tabIndex={0}
          overflowY="auto"
          px="1"
          pb="1"
        >
          {quickMessages.map((each) => {
            const active = each.id === activeId;
            return (
              <chakra.div
                key={each.id}
                id={optionId(each.id)}
                role="option"
                aria-selected={active}
                // The input keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => {
                  if (!active) onActivate(each.id);
                }}
                onClick={() => onChoose(each)}
                display="flex"
                alignItems="center"
                gap="3"
                minH="9"
                css={target}
                px="3"
                py="1.5"
                borderRadius="sm"
                textStyle="sm"
                cursor="pointer"
                bg={active ? 'brand.subtle' : undefined}
              >
                <chakra.span
                  flexShrink="0"
                  w={{ base: '28', sm: '28' }}
                  fontWeight="semibold"
                  color={active ? 'brand.fg' : undefined}
                  truncate
                  title={`/${each.shortcode}`}
                >
                  /{each.shortcode}
                </chakra.span>
                <chakra.span flex="1" minW="0" color="fg.muted" truncate>
                  {labelOf(each, fill)}
                </chakra.span>
                {each.isMedia && (
                  <chakra.span flexShrink="0" display="flex" color="fg.muted">
                    <Paperclip size={16} aria-label={each.mediaName ?? ''} role="img" />
                  </chakra.span>
                )}
                <chakra.kbd
                  aria-hidden
                  hideBelow="sm"
                  visibility={active ? 'visible' : 'hidden'}
                  px="1.5"
                  borderRadius="xs"
                  borderWidth="1px"
                  bg="bg.surface"
                  fontFamily="body"
                  textStyle="xs"
                >
                  Enter
                </chakra.kbd>
              </chakra.div>
            );
          })}
        </chakra.div>
      )}
    </chakra.div>
  );
}
