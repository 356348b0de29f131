/** Only addresses that a browser may safely open. */
export function safeHref(address: string): string | undefined {
  try {
    const { protocol } = new URL(address);
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
