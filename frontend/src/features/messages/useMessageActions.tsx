import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import type { Ticket } from '@/features/tickets/api';
import { saveAddress } from '@/lib/download';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { actionsFor, copyableText } from './actions';
import { deleteMessage, reactToMessage } from './api';
import { changeConversation } from './cache';
import { foldUpdated } from './fold';
import { MENU_ENTRIES, MessageMenu, type MenuChoice } from './MessageMenu';
import type { MenuAnchor } from './MessageRow';
import { isAdmin } from './rules';
import type { Message } from './types';
import { useCapabilities } from './useCapabilities';

const ReactionPicker = lazy(() =>
  import('./ReactionPicker').then((file) => ({ default: file.ReactionPicker })),
);
const ForwardDialog = lazy(() =>
  import('./ForwardDialog').then((file) => ({ default: file.ForwardDialog })),
);
const MessageDetails = lazy(() =>
  import('./MessageDetails').then((file) => ({ default: file.MessageDetails })),
);

interface Open {
  message: Message;
  anchor: MenuAnchor;
  /** When the menu was opened. */
  at: number;
  as: 'menu' | 'emojis' | MenuChoice;
}

interface Options {
  canWrite: boolean;
  onReply: (message: Message) => void;
  /** Omitted if texts cannot be edited. */
  onEdit?: ((message: Message) => void) | undefined;
}

/** Saves a file under its own name. */
function download({ mediaUrl, mediaName }: Message) {
  if (mediaUrl) saveAddress(mediaUrl, mediaName, { newTab: true });
}

/** The message with the company's reaction replaced, as the server will return it. */
function withReaction(message: Message, emoji: string, name: string): Message {
  const others = message.reactions.filter(({ fromMe }) => !fromMe);
  const own = emoji ? [{ emoji, fromMe: true, name }] : [];
  return { ...message, reactions: [...others, ...own] };
}

/** The actions on single messages: the menu, and its dialogs. */
export function useMessageActions(ticket: Ticket, { canWrite, onReply, onEdit }: Options) {
  const { t } = useTranslation('conversation');
  const client = useQueryClient();
  const user = useCurrentUser();
  const capabilities = useCapabilities(ticket);
  const [open, setOpen] = useState<Open | null>(null);
  const [deleting, setDeleting] = useState(false);
  const opened = useRef(open);
  useEffect(() => {
    opened.current = open;
  });

  const store = useCallback(
    (message: Message) =>
      changeConversation(client, ticket.id, (pages) => foldUpdated(pages, message)),
    [client, ticket.id],
  );
  const react = useCallback(
    (message: Message, emoji: string) => {
      store(withReaction(message, emoji, user.name));
      reactToMessage(message.id, emoji).then(store, (error: unknown) => {
        store(message);
        toast.error(error);
      });
    },
    [store, user.name],
  );
  const onMenu = useCallback(
    (message: Message, anchor: MenuAnchor) =>
      setOpen({ message, anchor, at: Date.now(), as: 'menu' }),
    [],
  );

  const close = () => {
    opened.current?.anchor.row.focus({ preventScroll: true });
    setOpen(null);
  };

  /** A menu reports its closing after the choice, which may have opened something else. */
  const closeMenu = () => {
    if (opened.current?.as === 'menu') close();
  };

  const copy = (message: Message) => {
    const words = copyableText(message);
    navigator.clipboard.writeText(words).then(() => toast.success(t('copied')), toast.error);
  };

  const choose = (choice: MenuChoice) => {
    if (!open) return;
    const { message } = open;
    if (choice === 'forward' || choice === 'details' || choice === 'remove') {
      const next: Open = { ...open, as: choice };
      opened.current = next;
      setOpen(next);
      return;
    }
    setOpen(null);
    if (choice === 'reply') onReply(message);
    else if (choice === 'edit') onEdit?.(message);
    else if (choice === 'copy') copy(message);
    else download(message);
  };

  const remove = async (message: Message) => {
    setDeleting(true);
    try {
      store(await deleteMessage(message.id));
      close();
    } catch (error) {
      toast.error(error);
    }
    setDeleting(false);
  };

  const can = open
    ? actionsFor(open.message, {
        canWrite,
        capabilities,
        userId: user.id,
        isAdmin: isAdmin(user),
        forwards: may(user, 'contacts:see'),
        now: open.at,
      })
    : null;
  const choices = new Set(
    MENU_ENTRIES.map(({ id }) => id).filter(
      (id) => id === 'details' || (can?.[id] && (id !== 'edit' || onEdit)),
    ),
  );

  const element = open && (
    <>
      {open.as === 'menu' && (
        <MessageMenu
          // A menu opened for another message must be a new one.
          key={`${open.message.id}-${open.anchor.x}-${open.anchor.y}`}
          message={open.message}
          anchor={open.anchor}
          choices={choices}
          canReact={can?.react ?? false}
          onChoose={choose}
          onReact={(emoji) => react(open.message, emoji)}
          onMoreEmojis={() => {
            const next: Open = { ...open, as: 'emojis' };
            opened.current = next;
            setOpen(next);
          }}
          onClose={closeMenu}
        />
      )}
      <Suspense>
        {open.as === 'emojis' && (
          <ReactionPicker
            anchor={open.anchor}
            onPick={(emoji) => {
              react(open.message, emoji);
              close();
            }}
            onClose={close}
          />
        )}
        {open.as === 'forward' && <ForwardDialog message={open.message} onClose={close} />}
        {open.as === 'details' && <MessageDetails message={open.message} onClose={close} />}
      </Suspense>
      <ConfirmDialog
        open={open.as === 'remove'}
        onClose={close}
        onConfirm={() => void remove(open.message)}
        loading={deleting}
        title={t('remove.title')}
        confirmLabel={t('remove.confirm')}
      >
        {t('remove.text', { name: ticket.contact.name })}
      </ConfirmDialog>
    </>
  );

  return {
    element,
    onMenu,
    onReact: canWrite && capabilities.react ? react : undefined,
    store,
  };
}
