import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router';

/** What a link carries that leads to a page in order to add something there. */
export const ADD = { add: true } as const;

const asksToAdd = (state: unknown) =>
  typeof state === 'object' && state !== null && 'add' in state && state.add === true;

/** Opens a page's form for who came with `ADD`; once, so that a reload shows the page alone. */
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
