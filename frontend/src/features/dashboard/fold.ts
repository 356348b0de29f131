import type { Dashboard } from './types';

/** Updates a user's presence and name in the dashboard. */
export function foldUser(
  dashboard: Dashboard,
  user: { id: number; name: string; online: boolean },
): Dashboard {
  const known = dashboard.attendants.find(({ id }) => id === user.id);
  if (!known || (known.online === user.online && known.name === user.name)) return dashboard;
  const { name, online } = user;
  return {
    ...dashboard,
    attendants: dashboard.attendants.map((each) =>
      each.id === user.id ? { ...each, name, online } : each,
    ),
  };
}
