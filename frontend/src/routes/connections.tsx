import { ConnectionsTable } from '@/features/connections/ConnectionsTable';
import { FreeLine } from '@/features/costs/FreeLine';
import { ADMIN_ITEMS } from '@/features/shell/navigation';
import { can } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';

/** The connections, with the free messages of the official ones for those who may know. */
export function Component() {
  const knowsCosts = can(useCurrentUser(), ADMIN_ITEMS);
  return (
    <ConnectionsTable
      costOf={({ id, provider }) =>
        knowsCosts && provider === 'official' && <FreeLine connectionId={id} />
      }
    />
  );
}
