import type { SessionUser } from '@/lib/api/types';
import type { QuickMessage } from './types';

/** What is shared is its owner's to change, and an admin's, as the server judges it. */
export const mayChange = ({ userId }: QuickMessage, user: SessionUser): boolean =>
  userId === user.id || user.profile === 'admin';
