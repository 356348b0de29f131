import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { SearchInput } from '@/components/SearchInput';
import { Tabs } from '@/components/Tabs';
import { eachOnce } from '@/lib/api/pages';
import { useMedia } from '@/lib/useMedia';
import { paths } from '@/routes/paths';
import { chatsQuery } from './api';
import { ChatPane } from './ChatPane';
import { ChatRows } from './ChatRows';
import { rowsOf } from './fold';

const ChatDialog = lazy(() =>
  import('./ChatDialog').then((file) => ({ default: file.ChatDialog })),
);

/** From this width, list and messages are side by side. */
const WIDE = '(min-width: 900px)';

/**
 * The internal chat: the list on the left, the chosen chat beside it; two tabs on a narrow screen.
 */
export function ChatsPage() {
  const { t } = useTranslation('chat');
  const { uuid } = useParams();
  const navigate = useNavigate();
  const isWide = useMedia(WIDE);
  const [search, setSearch] = useState('');
  const [adding, setAdding] = useState(false);
  const [tab, setTab] = useState<'chats' | 'messages'>(uuid ? 'messages' : 'chats');
  const [shownUuid, setShownUuid] = useState(uuid);
  if (uuid !== shownUuid) {
    setShownUuid(uuid);
    setTab(uuid ? 'messages' : 'chats');
  }
  const list = useInfiniteQuery({ ...chatsQuery(search), placeholderData: keepPreviousData });
  const add = () => setAdding(true);

  const chats = (
    <chakra.section
      aria-label={t('list.label')}
      display="flex"
      flexDirection="column"
      flex={isWide ? '0 0 320px' : '1'}
      minH="0"
      minW="0"
      bg="bg.surface"
      {...(isWide && { borderEndWidth: '1px' })}
    >
      <chakra.div display="flex" gap="2" p="3" borderBottomWidth="1px">
        <chakra.div flex="1" minW="0">
          <SearchInput label={t('list.search')} value={search} onSearch={setSearch} />
        </chakra.div>
        <IconButton label={t('list.new')} icon={<Plus size={20} />} variant="solid" onClick={add} />
      </chakra.div>
      <ChatRows
        chats={list.data && eachOnce(rowsOf(list.data))}
        query={list}
        isSearched={search.trim() !== ''}
        currentUuid={uuid}
        // The chat that is already open only has to be shown again.
        onOpen={() => setTab('messages')}
        action={
          <Button icon={<Plus size={16} aria-hidden />} onClick={add}>
            {t('list.new')}
          </Button>
        }
      />
    </chakra.section>
  );
  const pane = (
    <ChatPane
      key={uuid ?? ''}
      uuid={uuid}
      isEmpty={list.data?.pages[0]?.count === 0}
      onNew={add}
      onLeft={() => void navigate(paths.chats, { replace: true })}
    />
  );

  return (
    <chakra.div
      flex="1"
      minH="0"
      minW="0"
      display="flex"
      flexDirection={isWide ? 'row' : 'column'}
      bg="bg.canvas"
    >
      {!isWide && (
        <chakra.div bg="bg.surface" flexShrink="0">
          <Tabs
            aria-label={t('tabs.label')}
            value={tab}
            onChange={setTab}
            inset="3"
            tabs={[
              { value: 'chats', label: t('tabs.chats') },
              { value: 'messages', label: t('tabs.messages') },
            ]}
          />
        </chakra.div>
      )}
      {(isWide || tab === 'chats') && chats}
      {(isWide || tab === 'messages') && pane}
      <Suspense>
        {adding && (
          <ChatDialog
            onClose={() => setAdding(false)}
            onSaved={(chat) => void navigate(paths.chat(chat.uuid))}
          />
        )}
      </Suspense>
    </chakra.div>
  );
}
