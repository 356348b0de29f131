/** Whether the focus is nowhere, so that it may be given to somebody. */
export const isFocusLost = () =>
  document.activeElement === null || document.activeElement === document.body;
