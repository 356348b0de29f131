import { ConnectionsTable } from '@/features/connections/ConnectionsTable';
import { FreeLine } from '@/features/costs/FreeLine';
import { opens } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';

/** The connections, with the free messages of the official ones for those who may know. */
export function Component() {
  const knowsCosts = opens(useCurrentUser(), 'costs');
  return (
    <ConnectionsTable
      costOf={({ id, provider }) =>
        knowsCosts && provider === 'official' && <FreeLine connectionId={id} />
      }
    />
  );
}
