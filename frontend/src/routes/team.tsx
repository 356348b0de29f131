import { TeamPage } from '@/features/desk/TeamPage';
import { Waited } from '@/features/tickets/Waited';

/** The team now, with the inbox's words for a wait. */
export function Component() {
  return <TeamPage Waited={Waited} />;
}
