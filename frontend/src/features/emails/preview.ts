const PREVIEW = 100;

/** The beginning of a message in one line (rules/emails §4). */
export function previewOf(message: string) {
  const line = message.replace(/\s+/g, ' ').trim();
  // By code points, of which some take two code units.
  const letters = Array.from(line);
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW).join('')}…` : line;
}
