/** Returns the address if a browser may safely open it. */
export function safeHref(address: string): string | undefined {
  try {
    const { protocol } = new URL(address);
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
