import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageCircle, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CountMark } from '@/components/CountMark';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { SkeletonRows } from '@/components/States';
import { eachOnce } from '@/lib/api/pages';
import { planAllows } from '@/lib/permissions';
import { paths } from '@/routes/paths';
import { setChatsBadge } from '@/stores/badges';
import { useCurrentUser } from '@/stores/session';
import { chatsQuery } from './api';
import { rowsOf } from './fold';
import { useArrivals } from './useArrivals';

const ChatRows = lazy(() => import('./ChatRows').then((file) => ({ default: file.ChatRows })));

/** The newest chats, in the top bar of companies whose plan includes chats. */
export function ChatPopover() {
  return planAllows(useCurrentUser(), 'useInternalChat') ? <Newest /> : null;
}

function Newest() {
  const { t } = useTranslation(['chat', 'common']);
  const list = useInfiniteQuery(chatsQuery());
  useArrivals();
  const [open, setOpen] = useState(false);
  const unread = list.data?.pages[0]?.unreadChats ?? 0;
  useEffect(() => {
    setChatsBadge(unread);
    return () => setChatsBadge(0);
  }, [unread]);
  const close = () => setOpen(false);
  return (
    <Popover
      label={t('label')}
      width="min(360px, calc(100vw - 16px))"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <IconButton
          label={unread > 0 ? t('unreadChats', { count: unread }) : t('label')}
          icon={<MessageCircle size={20} />}
          mark={unread > 0 && <CountMark count={unread} />}
        />
      }
    >
      <chakra.div display="flex" alignItems="center" justifyContent="space-between" pb="2">
        <chakra.h2 textStyle="sm" fontWeight="semibold">
          {t('label')}
        </chakra.h2>
        <IconButton label={t('common:actions.close')} icon={<X size={16} />} onClick={close} />
      </chakra.div>
      <chakra.div mx="-3">
        <Suspense fallback={<SkeletonRows rows={3} />}>
          <ChatRows
            chats={list.data && eachOnce(rowsOf(list.data))}
            query={list}
            onOpen={close}
            action={null}
            maxH="min(420px, 60dvh)"
          />
        </Suspense>
      </chakra.div>
      <chakra.div display="flex" justifyContent="center" pt="2" borderTopWidth="1px">
        <AllLink to={paths.chats} onClick={close}>
          {list.data?.pages[0]?.count === 0 ? t('list.new') : t('list.all')}
        </AllLink>
      </chakra.div>
    </Popover>
  );
}

const AllLink = chakra(Link, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minH: { base: '11', md: '9' },
    px: '3',
    borderRadius: 'sm',
    textStyle: 'sm',
    fontWeight: 'semibold',
    color: 'brand.fg',
    _hover: { textDecoration: 'underline' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg' },
  },
});
