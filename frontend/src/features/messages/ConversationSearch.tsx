import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { SearchInput } from '@/components/SearchInput';
import { errorMessage } from '@/lib/toast';
import { foundMessagesQuery } from './api';
import type { RowKey } from './entries';
import { countOf, hitsOf } from './found';

interface ConversationSearchProps {
  ticketId: number;
  /** The search term, to be marked in the messages and notes. */
  text: string;
  onText: (text: string) => void;
  onJump: (key: RowKey) => void;
  onClose: () => void;
}

/**
 * Searches a conversation: begins with the newest match and steps up and down through all of them.
 */
export function ConversationSearch(props: ConversationSearchProps) {
  const { ticketId, text, onText, onJump, onClose } = props;
  const { t } = useTranslation(['conversation', 'common']);
  const query = useInfiniteQuery(foundMessagesQuery(ticketId, text));
  const { data, fetchNextPage, hasNextPage, isFetching } = query;
  const hits = data ? hitsOf(data.pages) : [];
  const count = data ? countOf(data.pages) : 0;
  // 0 is the newest match. Another text starts again at 0.
  const [chosen, setChosen] = useState({ text, place: 0 });
  const place = chosen.text === text ? chosen.place : 0;
  const current = hits[place];

  const jump = useEffectEvent(onJump);
  useEffect(() => {
    if (current !== undefined) jump(current);
  }, [current, text]);

  const go = (by: 1 | -1) => {
    const next = place + by;
    if (next < 0 || next >= count) return;
    setChosen({ text, place: next });
    // Loads further matches before they are needed.
    if (next >= hits.length - 2 && hasNextPage && !isFetching) void fetchNextPage();
  };

  const status = query.error
    ? errorMessage(query.error)
    : text === ''
      ? ''
      : data
        ? count === 0
          ? t('search.none')
          : t('search.place', { place: place + 1, count })
        : '';
  return (
    <chakra.div
      role="search"
      aria-label={t('search.label')}
      display="flex"
      alignItems="center"
      gap="1"
      ps={{ base: '3', sm: '5' }}
      pe={{ base: '2', sm: '4' }}
      py="2"
      bg="bg.surface"
      borderBottomWidth="1px"
      flexShrink="0"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        } else if (event.key === 'ArrowUp' || (event.key === 'Enter' && !event.shiftKey)) {
          // Enter first ends the debounce; only a second Enter goes to the next match.
          if (event.key === 'Enter' && (event.target as HTMLInputElement).value !== text) return;
          event.preventDefault();
          go(1);
        } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
          event.preventDefault();
          go(-1);
        }
      }}
    >
      <chakra.div flex="1" minW="0">
        <SearchInput
          autoFocus
          value={text}
          onSearch={(typed) => onText(typed.trim())}
          label={t('search.placeholder')}
        />
      </chakra.div>
      <chakra.span
        role="status"
        textStyle="sm"
        color={query.error ? 'status.danger.fg' : 'fg.muted'}
        fontVariantNumeric="tabular-nums"
        whiteSpace="nowrap"
        minW={{ base: '14', sm: '24' }}
        display="flex"
        justifyContent="center"
      >
        {isFetching && !data ? <Spinner /> : status}
      </chakra.span>
      <IconButton
        label={t('search.older')}
        icon={<ChevronUp size={20} />}
        disabled={place + 1 >= count}
        onClick={() => go(1)}
      />
      <IconButton
        label={t('search.newer')}
        icon={<ChevronDown size={20} />}
        disabled={place === 0}
        onClick={() => go(-1)}
      />
      <IconButton label={t('search.close')} icon={<X size={20} />} onClick={onClose} />
    </chakra.div>
  );
}
