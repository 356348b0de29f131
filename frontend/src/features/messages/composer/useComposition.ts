import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newClientId } from '@/lib/clientId';
import { MAX_FILES, refusalOf } from '@/lib/files';
import { useCurrentUser, useSession } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';
import { readDraft, writeDraft } from '../drafts';
import type { Message } from '../types';
import {
  attachmentOfFile,
  attachmentOfStored,
  EMPTY,
  isEmpty,
  shownText,
  withAttachments,
  withoutAttachment,
  withText,
  type Attachment,
  type Composition,
  type StoredFile,
} from './composition';

/** Attached files of conversations that are not shown; a reload loses them. */
const waiting = new Map<string, Composition>();
useSession.subscribe(({ user }) => {
  if (!user) waiting.clear();
});

function release({ previewUrl, content }: Attachment) {
  if (previewUrl && content.file) URL.revokeObjectURL(previewUrl);
}

function restored(userId: number, ticketId: number): Composition {
  const kept = waiting.get(`${userId}:${ticketId}`);
  if (kept) return kept;
  const { text, stored } = readDraft(userId, ticketId);
  const written = { ...EMPTY, text };
  return stored.length > 0
    ? withAttachments(
        written,
        stored.map((file) => attachmentOfStored(newClientId(), file)),
      )
    : written;
}

/** The message being written in a conversation; it is restored when the user returns. */
export function useComposition(ticketId: number) {
  const { t } = useTranslation('messages');
  const { id: userId } = useCurrentUser();
  const [composition, setComposition] = useState(() => restored(userId, ticketId));
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const draft = useUnsent(({ drafts }) => drafts[ticketId]);
  const [shownDraft, setShownDraft] = useState(draft);
  // A draft that arrives from the server while nothing is typed.
  if (draft !== shownDraft) {
    setShownDraft(draft);
    if (draft && isEmpty(composition)) setComposition(restored(userId, ticketId));
  }

  const arrival = useUnsent(({ arrivals }) => arrivals[ticketId]);
  const [shownArrival, setShownArrival] = useState(arrival);
  // What was typed in another browser while nothing was here.
  if (arrival !== shownArrival) {
    setShownArrival(arrival);
    if (composition.attachments.length === 0)
      setComposition(withText(composition, readDraft(userId, ticketId).text));
  }

  useEffect(() => {
    const name = `${userId}:${ticketId}`;
    if (composition.attachments.some(({ content }) => content.file)) waiting.set(name, composition);
    else waiting.delete(name);
    writeDraft(userId, ticketId, {
      text:
        composition.text || (composition.attachments.find((each) => each.caption)?.caption ?? ''),
      stored: composition.attachments.flatMap(({ content }) => content.stored ?? []),
    });
  }, [userId, ticketId, composition]);

  /** Attaches the files that can be sent and reports why the others cannot. */
  const add = (files: readonly File[]) => {
    const accepted: Attachment[] = [];
    const refused: string[] = [];
    for (const file of files) {
      const refusal = refusalOf(file);
      if (refusal) {
        refused.push(t(`files.${refusal.reason}`, { ...refusal }));
      } else if (composition.attachments.length + accepted.length >= MAX_FILES) {
        refused.push(t('files.tooMany', { limit: MAX_FILES }));
        break;
      } else accepted.push(attachmentOfFile(newClientId(), file));
    }
    setRefusals(refused);
    setComposition((before) => withAttachments(before, accepted));
  };

  return {
    ...composition,
    shown: shownText(composition),
    refusals,
    forgetRefusals: () => setRefusals([]),
    write: (text: string) => setComposition((before) => withText(before, text)),
    add,
    /** Inserts stored content: its text at the caret, its files among the others. */
    addStored: (text: string, stored: readonly StoredFile[]) => {
      const room = MAX_FILES - composition.attachments.length;
      setRefusals(stored.length > room ? [t('files.tooMany', { limit: MAX_FILES })] : []);
      const added = stored.slice(0, room).map((file) => attachmentOfStored(newClientId(), file));
      setComposition((before) => withAttachments(withText(before, text), added));
    },
    select: (id: string) => setComposition((before) => ({ ...before, selectedId: id })),
    remove: (id: string) => {
      composition.attachments.filter((each) => each.id === id).forEach(release);
      setComposition((before) => withoutAttachment(before, id));
    },
    /** Called after everything was handed to the outbox. */
    clear: () => {
      composition.attachments.forEach(release);
      setRefusals([]);
      setComposition(EMPTY);
    },
    hasContent: !isEmpty(composition),
  };
}

export type Composing = ReturnType<typeof useComposition>;

/** The message that was being replied to when the conversation was left. */
export const keptReply = (userId: number, ticketId: number): Message | null =>
  readDraft(userId, ticketId).reply;
