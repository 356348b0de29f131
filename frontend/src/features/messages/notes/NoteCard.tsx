import { chakra } from '@chakra-ui/react';
import { StickyNote, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { IconButton } from '@/components/IconButton';
import { formatTime } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { useDeleteNote } from '../api';
import { Found } from '../content/Text';
import type { TicketActivity } from '../types';
import { partsOf } from './mentions';

type Shown = Pick<TicketActivity, 'kind' | 'note' | 'mentions' | 'actorName'>;

interface TeamNoteProps {
  note: Shown;
  highlighted: boolean;
  children?: React.ReactNode;
}

/** A note between colleagues, with who wrote it; the contact never receives it. */
export function TeamNote({ note, highlighted, children }: TeamNoteProps) {
  const { t } = useTranslation('messages');
  return (
    <chakra.div display="flex" justifyContent="center" pb="3">
      <chakra.div
        maxW="min(65ch, 100%)"
        px="3"
        py="2"
        borderRadius="md"
        bg="status.waiting.subtle"
        color="fg.default"
        textStyle="sm"
        transition="box-shadow"
        transitionDuration="slow"
        {...(highlighted && { boxShadow: '0 0 0 3px {colors.brand.border}' })}
      >
        <chakra.p
          display="flex"
          alignItems="center"
          gap="1.5"
          mb="1"
          textStyle="xs"
          color="status.waiting.fg"
        >
          <StickyNote size={14} aria-hidden />
          <span>
            <Trans
              t={t}
              i18nKey={note.kind === 'noted' ? 'activities.noted' : 'activities.note'}
              values={{ actor: note.actorName ?? '' }}
              components={{ b: <chakra.strong fontWeight="semibold" /> }}
            />
          </span>
          {children}
        </chakra.p>
        <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere">
          {partsOf(note.note ?? '', note.mentions).map(({ text, isName }, place) =>
            isName ? (
              <chakra.strong key={place} fontWeight="semibold" color="status.waiting.fg">
                <Found text={text} />
              </chakra.strong>
            ) : (
              <Found key={place} text={text} />
            ),
          )}
        </chakra.p>
      </chakra.div>
    </chakra.div>
  );
}

/** A note written in the conversation, with its time; the writer and admins delete it. */
export function NoteCard({ note, highlighted }: { note: TicketActivity; highlighted: boolean }) {
  const { t } = useTranslation('messages');
  const user = useCurrentUser();
  const [asks, setAsks] = useState(false);
  const remove = useDeleteNote(note.ticketId);
  return (
    <chakra.div pt="3" data-note={note.id}>
      <TeamNote note={note} highlighted={highlighted}>
        <chakra.span ms="auto" ps="3" fontVariantNumeric="tabular-nums">
          {formatTime(note.createdAt)}
        </chakra.span>
        {(note.actorId === user.id || may(user, 'tickets:delete')) && (
          <IconButton
            size="sm"
            h="6"
            label={t('note.delete')}
            icon={<Trash2 size={14} />}
            onClick={() => setAsks(true)}
          />
        )}
      </TeamNote>
      {asks && (
        <ConfirmDelete
          title={t('note.deleteTitle')}
          id={note.id}
          remove={remove}
          done={t('note.deleted')}
          onClose={() => setAsks(false)}
        >
          {t('note.deleteText')}
        </ConfirmDelete>
      )}
    </chakra.div>
  );
}
