import { fileAddress, kindOfFile, kindOfMime, type FileKind } from '@/lib/files';

/** A file that is already on the server: of a quick message or of a file list. */
export interface StoredFile {
  quickMessageId?: number;
  fileListItemId?: number;
  /** A signed path; the cached owner supplies a renewed one. */
  mediaPath: string;
  name: string;
  mime: string;
  size: number;
}

/** A file that is attached but not sent, with its caption. */
export interface Attachment {
  id: string;
  caption: string;
  name: string;
  size: number;
  kind: FileKind;
  /** A picture of it, for images. */
  previewUrl: string | null;
  content: { file: File; stored: null } | { file: null; stored: StoredFile };
}

/** The message being written: a text, or files with a caption each. */
export interface Composition {
  /** The text while there is no file. */
  text: string;
  attachments: readonly Attachment[];
  /** The file whose caption the input holds; always one while there are files. */
  selectedId: string | null;
}

export const EMPTY: Composition = { text: '', attachments: [], selectedId: null };

export const attachmentOfFile = (id: string, file: File): Attachment => ({
  id,
  caption: '',
  name: file.name,
  size: file.size,
  kind: kindOfFile(file),
  previewUrl: kindOfFile(file) === 'image' ? URL.createObjectURL(file) : null,
  content: { file, stored: null },
});

export const attachmentOfStored = (id: string, stored: StoredFile): Attachment => ({
  id,
  caption: '',
  name: stored.name,
  size: stored.size,
  kind: kindOfMime(stored.mime),
  previewUrl: kindOfMime(stored.mime) === 'image' ? fileAddress(stored.mediaPath) : null,
  content: { file: null, stored },
});

const selectedOf = ({ attachments, selectedId }: Composition): Attachment | undefined =>
  attachments.find(({ id }) => id === selectedId);

/** The text in the input. */
export const shownText = (composition: Composition): string =>
  selectedOf(composition)?.caption ?? composition.text;

/** Whether there is anything to keep or to send. */
export const isEmpty = ({ text, attachments }: Composition): boolean =>
  text === '' && attachments.length === 0;

export function withText(composition: Composition, text: string): Composition {
  const { attachments, selectedId } = composition;
  if (selectedId === null) return { ...composition, text };
  return {
    ...composition,
    attachments: attachments.map((each) =>
      each.id === selectedId ? { ...each, caption: text } : each,
    ),
  };
}

/** Appends files; existing text becomes the caption of the first of them. */
export function withAttachments(
  composition: Composition,
  added: readonly Attachment[],
): Composition {
  const [first, ...rest] = added;
  if (!first) return composition;
  if (composition.attachments.length > 0)
    return { ...composition, attachments: [...composition.attachments, ...added] };
  return {
    text: '',
    attachments: [{ ...first, caption: composition.text || first.caption }, ...rest],
    selectedId: first.id,
  };
}

/** Removes a file; the caption of the last remaining one stays as the text. */
export function withoutAttachment(composition: Composition, id: string): Composition {
  const { attachments, selectedId } = composition;
  const place = attachments.findIndex((each) => each.id === id);
  const removed = attachments[place];
  if (!removed) return composition;
  const left = attachments.filter((each) => each.id !== id);
  if (left.length === 0) return { text: removed.caption, attachments: [], selectedId: null };
  const neighbour = left[Math.min(place, left.length - 1)];
  return {
    ...composition,
    attachments: left,
    selectedId: selectedId === id ? (neighbour?.id ?? null) : selectedId,
  };
}
