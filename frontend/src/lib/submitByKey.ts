import type { KeyboardEvent } from 'react';

/**
 * Submits a form by Ctrl-Enter from any of its fields, as its button would: not while the button is
 * disabled. Dialogs above the form are not part of it, although React events bubble from them.
 */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>) {
  const form = event.currentTarget;
  const isKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!isKey || event.repeat || event.defaultPrevented || event.nativeEvent.isComposing) return;
  if (!(event.target instanceof Node && form.contains(event.target))) return;
  event.preventDefault();
  form.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
}
