import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

let x = 0;

/**
 * Chooses an entry of the open menu. The menu takes the entry that is marked, which needs a pointer
 * that moves and a render: a click alone may come before both.
 */
export async function chooseEntry(user: UserEvent, name: string | RegExp) {
  const target = await screen.findByRole('menuitem', { name });
  await waitFor(async () => {
    x += 1;
    await user.pointer({ target, coords: { clientX: x } });
    if (target.dataset['highlighted'] === undefined) throw new Error('The entry is not marked.');
  });
  await user.click(target);
}
