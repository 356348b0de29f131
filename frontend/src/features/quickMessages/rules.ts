import type { SessionUser } from '@/lib/api/types';
import { may } from '@/lib/permissions';
import type { QuickMessage } from './types';

/** Whether the user may change a quick message: its owner or an admin, as on the server. */
export const mayChange = ({ userId }: QuickMessage, user: SessionUser): boolean =>
  userId === user.id || may(user, 'queues:manage');
