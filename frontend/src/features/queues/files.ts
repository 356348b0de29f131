import type { ChosenFile } from '@/components/FileField';
import type { OptionDraft } from './drafts';

/** A field revokes its own address when it unmounts; these addresses live as long as the file. */
const ADDRESSES = new WeakMap<File, string>();

function addressOf(file: File): string {
  const known = ADDRESSES.get(file) ?? URL.createObjectURL(file);
  ADDRESSES.set(file, known);
  return known;
}

/** A file with an address at which the browser can show it now. */
export const shownFile = (chosen: ChosenFile | null): ChosenFile | null =>
  chosen?.file ? { ...chosen, address: addressOf(chosen.file) } : chosen;

/** The file of the node with a key, wherever it stands. */
export function fileOf(options: readonly OptionDraft[], key: string): ChosenFile | null {
  for (const option of options) {
    const found = option.key === key ? option.file : fileOf(option.children, key);
    if (found) return shownFile(found);
  }
  return null;
}
