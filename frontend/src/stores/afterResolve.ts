import { create } from 'zustand';
import { useCurrentUser } from './session';

const KEY = 'listAfterResolve';

function stored(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  } catch {
    return [];
  }
}

/** The users of this browser whom resolving leads to the list instead of the next conversation. */
const useListUsers = create<{ ids: readonly number[] }>(() => ({ ids: stored() }));

/** Whether resolving opens the next conversation; on until the user says otherwise. */
export function useOpensNext(): [boolean, () => void] {
  const { id } = useCurrentUser();
  const ids = useListUsers((users) => users.ids);
  const opensNext = !ids.includes(id);
  const toggle = () => {
    const others = stored().filter((each) => each !== id);
    const changed = opensNext ? [...others, id] : others;
    localStorage.setItem(KEY, JSON.stringify(changed));
    useListUsers.setState({ ids: changed });
  };
  return [opensNext, toggle];
}
