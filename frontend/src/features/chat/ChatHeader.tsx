import { chakra } from '@chakra-ui/react';
import { EllipsisVertical, LogOut, Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { ConfirmDialog } from '@/components/Dialog';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { Popover } from '@/components/Popover';
import { PresenceMark } from '@/components/PresenceMark';
import { usePresences, usePresenceWords } from '@/features/desk/api';
import { toast } from '@/lib/toast';
import { target } from '@/theme/screens';
import { useCurrentUser } from '@/stores/session';
import { useDeleteChat, useLeaveChat } from './api';
import { othersOf, useOnline } from './people';
import type { Chat } from './types';

const ChatDialog = lazy(() =>
  import('./ChatDialog').then((file) => ({ default: file.ChatDialog })),
);

/** The chat's title, its members and who is online, and its actions. */
export function ChatHeader({ chat, onLeft }: { chat: Chat; onLeft: () => void }) {
  const { t } = useTranslation('chat');
  const { id: userId } = useCurrentUser();
  const online = useOnline();
  const presences = usePresences();
  const words = usePresenceWords();
  const [open, setOpen] = useState<'edit' | 'delete' | 'leave' | null>(null);
  const remove = useDeleteChat();
  const leave = useLeaveChat();
  const isOwner = chat.ownerId === userId;
  const { title } = chat;
  const others = othersOf(chat, userId);
  const isGroup = others.length > 1;
  const name = isGroup ? title : (others[0]?.user.name ?? title);
  const onlineCount = others.filter((member) => online.has(member.userId)).length;
  const close = () => setOpen(null);
  const icon = { size: 16, 'aria-hidden': true } as const;

  return (
    <chakra.header
      display="flex"
      alignItems="center"
      gap="3"
      h="16"
      flexShrink="0"
      ps="4"
      pe="2"
      bg="bg.surface"
      borderBottomWidth="1px"
    >
      <Avatar name={name} group={isGroup} online={onlineCount > 0} />
      <chakra.div flex="1" minW="0">
        <chakra.h2 textStyle="md" fontWeight="semibold" truncate title={title}>
          {title}
        </chakra.h2>
        <Popover
          label={t('pane.showMembers', { title })}
          placement="bottom-start"
          trigger={
            <chakra.button
              type="button"
              display="inline-flex"
              alignItems="center"
              maxW="full"
              textStyle="xs"
              color="fg.muted"
              cursor="pointer"
              borderRadius="xs"
              _hover={{ textDecoration: 'underline' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
              css={target}
            >
              <chakra.span truncate>
                {t('pane.members', { count: chat.users.length })}
                {onlineCount > 0 && ` · ${t('pane.online', { count: onlineCount })}`}
              </chakra.span>
            </chakra.button>
          }
        >
          <chakra.ul listStyleType="none" maxH="50dvh" overflowY="auto" tabIndex={0}>
            {chat.users.map((member) => {
              const presence = presences?.get(member.userId);
              return (
                <chakra.li
                  key={member.id}
                  display="flex"
                  alignItems="center"
                  gap="3"
                  py="1.5"
                  textStyle="sm"
                >
                  <Avatar
                    name={member.user.name}
                    size={28}
                    online={!presence && online.has(member.userId)}
                  />
                  <chakra.span flex="1" minW="0">
                    <chakra.span display="block" overflowWrap="anywhere">
                      {member.user.name}
                      {member.userId === userId && ` (${t('pane.you')})`}
                    </chakra.span>
                    {member.userId === chat.ownerId && (
                      <chakra.span display="block" textStyle="xs" color="fg.muted">
                        {t('pane.owner')}
                      </chakra.span>
                    )}
                  </chakra.span>
                  {presence ? (
                    <PresenceMark presence={presence.presence} label={words(presence)} words />
                  ) : (
                    <chakra.span srOnly>
                      {t(online.has(member.userId) ? 'pane.isOnline' : 'pane.isOffline')}
                    </chakra.span>
                  )}
                </chakra.li>
              );
            })}
          </chakra.ul>
        </Popover>
      </chakra.div>
      <Menu
        trigger={
          <IconButton label={t('pane.actions', { title })} icon={<EllipsisVertical size={20} />} />
        }
        groups={[
          {
            entries: [
              ...(isOwner
                ? [
                    {
                      id: 'edit',
                      label: t('pane.edit'),
                      icon: <Pencil {...icon} />,
                      onSelect: () => setOpen('edit'),
                    },
                  ]
                : []),
              {
                id: 'leave',
                label: t('pane.leave'),
                icon: <LogOut {...icon} />,
                onSelect: () => setOpen('leave'),
              },
            ],
          },
          {
            entries: isOwner
              ? [
                  {
                    id: 'delete',
                    label: t('pane.delete'),
                    icon: <Trash2 {...icon} />,
                    danger: true,
                    onSelect: () => setOpen('delete'),
                  },
                ]
              : [],
          },
        ]}
      />
      <Suspense>{open === 'edit' && <ChatDialog stored={chat} onClose={close} />}</Suspense>
      {open === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { title })}
          id={chat.id}
          remove={{
            ...remove,
            mutate: (id, options) =>
              remove.mutate(id, {
                ...options,
                onSuccess: (...given) => {
                  options?.onSuccess?.(...given);
                  onLeft();
                },
              }),
          }}
          done={t('delete.done')}
          onClose={close}
        >
          {t('delete.text')}
        </ConfirmDelete>
      )}
      {open === 'leave' && (
        <ConfirmDialog
          open
          onClose={close}
          title={t('leave.title', { title })}
          confirmLabel={t('leave.confirm')}
          loading={leave.isPending}
          onConfirm={() =>
            leave.mutate(chat.id, {
              onSuccess: () => {
                toast.success(t('leave.done'));
                onLeft();
              },
              onError: toast.error,
              onSettled: close,
            })
          }
        >
          {t(isOwner ? 'leave.textOwner' : 'leave.text')}
        </ConfirmDialog>
      )}
    </chakra.header>
  );
}
