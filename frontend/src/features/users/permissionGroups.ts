import type { Permission } from '@/lib/permissions';

/** Every permission in the order of the form, with its group there. */
const GROUP_OF = {
  'tickets:seeQueues': 'tickets',
  'tickets:seeAll': 'tickets',
  'tickets:take': 'tickets',
  'tickets:assign': 'tickets',
  'tickets:transfer': 'tickets',
  'tickets:resolve': 'tickets',
  'tickets:delete': 'tickets',
  'contacts:see': 'contacts',
  'contacts:fullNumber': 'contacts',
  'contacts:edit': 'contacts',
  'contacts:delete': 'contacts',
  'contacts:export': 'contacts',
  'campaigns:manage': 'work',
  'queues:manage': 'work',
  'rules:manage': 'work',
  'ai:manage': 'work',
  'connections:manage': 'work',
  'reports:own': 'company',
  'reports:queue': 'company',
  'reports:all': 'company',
  'users:manage': 'company',
  'settings:manage': 'company',
  'billing:manage': 'company',
  'programs:manage': 'company',
} as const satisfies Record<Permission, string>;

const PERMISSIONS = Object.keys(GROUP_OF) as Permission[];

/** The permissions by group, in the order of the form. */
export const GROUPS = [...new Set(Object.values(GROUP_OF))].map((id) => ({
  id,
  permissions: PERMISSIONS.filter((permission) => GROUP_OF[permission] === id),
}));

type Requires = Readonly<Record<string, Permission>>;

/**
 * What is chosen after a permission was switched: with one comes the other that it needs, and with
 * that one go those that need it.
 */
export function switched(
  chosen: readonly Permission[],
  permission: Permission,
  on: boolean,
  requires: Requires,
): Permission[] {
  const next = new Set(chosen);
  if (on) {
    for (let each: Permission | undefined = permission; each; each = requires[each]) next.add(each);
  } else {
    const leave = (gone: Permission) => {
      next.delete(gone);
      for (const each of PERMISSIONS) if (requires[each] === gone && next.has(each)) leave(each);
    };
    leave(permission);
  }
  return PERMISSIONS.filter((each) => next.has(each));
}

/** Whether a user may give, change or take away a role: nobody grants what they lack. */
export const mayGrant = (granted: readonly Permission[], role: readonly Permission[]) =>
  role.every((permission) => granted.includes(permission));
