import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { openBrowserTabs, type BrowserTabs } from '@/lib/browserTabs';
import { showOnDesktop } from '@/lib/desktop';
import { plainText } from '@/lib/markup';
import { playChime } from '@/lib/sound';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { storedVolume } from '@/stores/ui';
import { useChatEvents } from './events';

/** Messages within this time share one sound. */
const QUIET_MS = 1500;
/** Within this time another tab can report that it shows the message. */
const GATHER_MS = 250;
const LONGEST = 160;

/**
 * Handles the chats' events, and notifies of others' messages unless the user is looking at the
 * chat.
 */
export function useArrivals() {
  const { t } = useTranslation('chat');
  const { id: userId } = useCurrentUser();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const soundedAt = useRef(-QUIET_MS);
  const tabs = useRef<BrowserTabs | null>(null);
  const timers = useRef(new Set<number>());
  useEffect(() => {
    const opened = openBrowserTabs('balcao-chats');
    const waiting = timers.current;
    tabs.current = opened;
    return () => {
      opened.close();
      waiting.forEach((timer) => window.clearTimeout(timer));
      waiting.clear();
    };
  }, []);

  useChatEvents((message, chat) => {
    if (message.senderId === userId) return;
    if (document.hasFocus() && pathname === paths.chat(chat.uuid)) {
      tabs.current?.saw(message.id);
      return;
    }
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      if (tabs.current?.wasSeen(message.id) || !tabs.current?.tells()) return;
      if (performance.now() - soundedAt.current >= QUIET_MS) {
        soundedAt.current = performance.now();
        playChime(storedVolume());
      }
      const words = plainText(message.message).slice(0, LONGEST);
      showOnDesktop({
        title: chat.title,
        body: `${message.sender.name}: ${words || message.mediaName || t('message.file')}`,
        tag: `chat-${chat.id}`,
        onOpen: () => void navigate(paths.chat(chat.uuid)),
      });
    }, GATHER_MS);
    timers.current.add(timer);
  });
}
