import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router';

/** The location state of a link to a page whose form for a new row is to open. */
export const ADD = { add: true } as const;

const asksToAdd = (state: unknown) =>
  typeof state === 'object' && state !== null && 'add' in state && state.add === true;

/**
 * Opens the form of a page if the location state is `ADD`; only once, so that a reload does not
 * open it again.
 */
export function useAddRequest(onAdd: () => void) {
  const { pathname, search, state } = useLocation() as Location<unknown>;
  const navigate = useNavigate();
  const open = useEffectEvent(() => {
    void navigate({ pathname, search }, { replace: true, state: null });
    onAdd();
  });
  const asks = asksToAdd(state);
  useEffect(() => {
    if (asks) open();
  }, [asks]);
}
