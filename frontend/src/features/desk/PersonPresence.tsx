import { PresenceMark } from '@/components/PresenceMark';
import { usePresences } from './presences';
import { usePresenceWords } from './words';

interface PersonPresenceProps {
  userId: number | null;
  /** Also shows the words, not only to screen readers. */
  words?: boolean;
}

/** How somebody is present, beside their name; nothing in companies without distribution. */
export function PersonPresence({ userId, words = false }: PersonPresenceProps) {
  const presence = usePresences()?.get(userId ?? 0);
  const wordsOf = usePresenceWords();
  return (
    presence && (
      <PresenceMark presence={presence.presence} label={wordsOf(presence)} words={words} />
    )
  );
}
