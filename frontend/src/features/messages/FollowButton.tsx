import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { followsQuery, useFollow } from './api';

/** Has the user told when the contact writes, wherever the conversation is by then. */
export function FollowButton({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation('messages');
  const { data } = useQuery({ ...followsQuery(), select: ({ ticketIds }) => ticketIds });
  const follow = useFollow(ticketId);
  const follows = data?.includes(ticketId) ?? false;
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={follows ? <BellRing size={16} /> : <Bell size={16} />}
      aria-pressed={follows}
      disabled={!data}
      loading={follow.isPending}
      onClick={() => follow.mutate(!follows)}
    >
      {t(follows ? 'follow.on' : 'follow.off')}
    </Button>
  );
}
