import { useSession } from '@/stores/session';

/** Whether conversations offer macros; from the session, which costs no call. */
export const useHasMacros = () =>
  useSession(
    ({ user }) =>
      user?.company.settings.some(({ key, value }) => key === 'macros' && value === 'enabled') ??
      false,
  );
