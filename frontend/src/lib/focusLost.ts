/** Whether no element has the focus, so that a caller may set it. */
export const isFocusLost = () =>
  document.activeElement === null || document.activeElement === document.body;
