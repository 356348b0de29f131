import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { Skeleton } from '@/components/States';
import { TextArea } from '@/components/TextInput';
import { formatCount, formatDateTime } from '@/lib/format';
import { showRefusal } from '@/lib/forms';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { notesQuery, useAddNote, useDeleteNote } from './api';
import { EmptyLine, Section, SmallError } from '@/components/Section';
import type { Note } from './types';

/** See rules/contacts §7. */
export const noteSchema = z.object({
  note: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(5000, 'field.tooLong'),
});

type NoteForm = z.infer<typeof noteSchema>;

/** Drafts by contact, kept while another contact is shown. */
const drafts = new Map<number, string>();

interface NotesProps {
  contactId: number;
  ticketId: number;
}

/** Writes a note, and lists the colleagues' notes, newest first. */
export function Notes({ contactId, ticketId }: NotesProps) {
  const { t } = useTranslation('contactDrawer');
  const user = useCurrentUser();
  const { data: notes, error, refetch } = useQuery(notesQuery(contactId));
  const [leaving, setLeaving] = useState<Note | null>(null);
  const remove = useDeleteNote(contactId);
  const mayDelete = (note: Note) => may(user, 'contacts:delete') || note.userId === user.id;

  return (
    <Section
      title={t('notes.title')}
      aside={
        notes && notes.length > 0 ? (
          <chakra.span textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
            {formatCount(notes.length)}
          </chakra.span>
        ) : undefined
      }
    >
      <NewNote key={contactId} contactId={contactId} ticketId={ticketId} />
      <chakra.div mt="3">
        {error ? (
          <SmallError error={error} onRetry={() => void refetch()} />
        ) : !notes ? (
          <chakra.div role="status" aria-label={t('loading')} display="grid" gap="2">
            <Skeleton display="block" h="16" />
            <Skeleton display="block" h="16" />
          </chakra.div>
        ) : notes.length === 0 ? (
          <EmptyLine>{t('notes.empty')}</EmptyLine>
        ) : (
          <chakra.ul display="grid" gap="2" listStyleType="none" aria-label={t('notes.title')}>
            {notes.map((note) => (
              <chakra.li
                key={note.id}
                position="relative"
                px="3"
                py="2.5"
                bg="bg.hover"
                borderRadius="md"
                css={{
                  '@media (hover: hover)': {
                    '& [data-delete]': { opacity: 0 },
                    '&:is(:hover, :focus-within) [data-delete]': { opacity: 1 },
                  },
                }}
              >
                <chakra.p textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
                  {note.note}
                </chakra.p>
                <chakra.div display="flex" alignItems="center" gap="1.5" mt="1.5" minH="6">
                  <Avatar name={note.user?.name ?? ''} size={20} />
                  <chakra.p flex="1" minW="0" textStyle="xs" color="fg.muted" truncate>
                    {note.user?.name ?? t('notes.someone')}
                    {' · '}
                    <chakra.time
                      dateTime={note.createdAt}
                      fontVariantNumeric="tabular-nums"
                      whiteSpace="nowrap"
                    >
                      {formatDateTime(note.createdAt)}
                    </chakra.time>
                  </chakra.p>
                  {mayDelete(note) && (
                    <IconButton
                      data-delete
                      label={t('notes.delete')}
                      icon={<Trash2 size={16} />}
                      size="sm"
                      my="-1"
                      me="-1.5"
                      transition="opacity 120ms"
                      onClick={() => setLeaving(note)}
                    />
                  )}
                </chakra.div>
              </chakra.li>
            ))}
          </chakra.ul>
        )}
      </chakra.div>
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (!leaving) return;
          remove.mutate(leaving.id, {
            onSuccess: () => toast.success(t('notes.deleted')),
            onError: (failure) => {
              toast.error(failure);
              void refetch();
            },
            onSettled: () => setLeaving(null),
          });
        }}
        title={t('notes.deleteTitle')}
        confirmLabel={t('notes.deleteConfirm')}
        loading={remove.isPending}
      >
        <chakra.span
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          display="-webkit-box"
          overflow="hidden"
          css={{ WebkitLineClamp: 6, WebkitBoxOrient: 'vertical' }}
        >
          {leaving?.note}
        </chakra.span>
      </ConfirmDialog>
    </Section>
  );
}

function NewNote({ contactId, ticketId }: NotesProps) {
  const { t } = useTranslation('contactDrawer');
  const errorText = useErrorText();
  const add = useAddNote(contactId, ticketId);
  const form = useForm<NoteForm>({
    resolver: zodResolver(noteSchema),
    defaultValues: { note: drafts.get(contactId) ?? '' },
  });
  const typed = useWatch({ control: form.control, name: 'note' });
  useEffect(() => {
    drafts.set(contactId, typed);
  }, [contactId, typed]);

  const submit = form.handleSubmit(({ note }) =>
    add.mutateAsync(note).then(
      () => {
        toast.success(t('notes.added'));
        form.reset({ note: '' });
        form.setFocus('note');
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );

  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="2"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
      }}
    >
      <Field
        label={<chakra.span srOnly>{t('notes.label')}</chakra.span>}
        error={errorText(form.formState.errors.note?.message)}
      >
        <TextArea rows={2} placeholder={t('notes.placeholder')} {...form.register('note')} />
      </Field>
      <Button
        type="submit"
        variant="outline"
        size="sm"
        alignSelf="flex-end"
        loading={add.isPending}
      >
        {t('notes.add')}
      </Button>
    </chakra.form>
  );
}
