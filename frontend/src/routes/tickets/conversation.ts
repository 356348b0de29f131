import { lazy, useEffect } from 'react';
import { i18n } from '@/i18n';

const load = () => import('@/features/messages/Conversations');

/** The open conversations; their script is not part of the first look at the lists. */
export const Conversations = lazy(() => load().then((file) => ({ default: file.Conversations })));

/** Loads script and texts of conversations, so that the first one opens at once. */
export function prepareConversation() {
  void i18n.loadNamespaces(['messages', 'conversation']);
  // A failure shows when a conversation is opened.
  load().catch(() => undefined);
}

/** After this time the lists stand. */
const QUIET_MS = 3000;

/** Prepares for the first conversation after the lists, also for a network that gets lost. */
export function usePreparedConversation() {
  useEffect(() => {
    const timer = window.setTimeout(prepareConversation, QUIET_MS);
    return () => window.clearTimeout(timer);
  }, []);
}
