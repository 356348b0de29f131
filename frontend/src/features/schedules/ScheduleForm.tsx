import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateField } from '@/components/DateField';
import { CancelButton, ConfirmDialog, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FileField, storedFile, type ChosenFile } from '@/components/FileField';
import { IconButton } from '@/components/IconButton';
import { MessagePreview } from '@/components/MessagePreview';
import { TimeField } from '@/components/TimeField';
import { clockOf, dayOf, momentOf } from '@/lib/dates';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { removeMedia, useRetrySchedule, useSaveSchedule } from './api';
import { ContactField } from './ContactField';
import { MessageField } from './MessageField';
import { Outcome } from './Outcome';
import { isPast, scheduleSchema, type ScheduleForm as Values } from './schemas';
import type { Schedule, ScheduleInput } from './types';
import { inOneHour } from './view';
import { WindowHint } from './WindowHint';

interface ScheduleFormProps {
  schedule?: Schedule;
  contact?: { id: number; name: string } | undefined;
  ticketId?: number;
  sendAt?: Date | undefined;
  onDelete?: () => void;
  onClose: () => void;
}

/** The time of a failed schedule has passed, so the form proposes a new one. */
function startMoment(schedule: Schedule | undefined, sendAt: Date | undefined): Date {
  if (schedule && schedule.status !== 'ERRO') return new Date(schedule.sendAt);
  return sendAt ?? inOneHour(new Date());
}

export function ScheduleForm(props: ScheduleFormProps) {
  const { schedule, contact, ticketId, sendAt, onDelete, onClose } = props;
  const { t } = useTranslation(['schedules', 'common']);
  const [start] = useState(() => startMoment(schedule, sendAt));
  const form = useForm<Values>({
    resolver: zodResolver(scheduleSchema),
    defaultValues: {
      contact: schedule?.contact ?? contact ?? null,
      body: schedule?.body ?? '',
      date: dayOf(start),
      time: clockOf(start),
    },
  });
  const save = useSaveSchedule();
  const retry = useRetrySchedule();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const [chosenContact, body, date, time] = useWatch({
    control: form.control,
    name: ['contact', 'body', 'date', 'time'],
  });
  const [file, setFile] = useState<ChosenFile | null>(() => storedFile(schedule));
  /** The uploaded share of a new file, during the upload. */
  const [progress, setProgress] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [removing, setRemoving] = useState(false);

  // A schedule that is sent, or being sent, cannot be changed.
  const locked = Boolean(schedule?.sentAt) || schedule?.status === 'AGENDADA';
  const failed = schedule?.status === 'ERRO';
  const fields = useRef<HTMLDivElement>(null);

  const submit = form.handleSubmit(async (values) => {
    const moment = momentOf(values.date, values.time);
    if (!moment || !values.contact) return;
    // The form shows minutes only: an unchanged time keeps its seconds.
    const untouched = values.date === dayOf(start) && values.time === clockOf(start);
    const isKept = untouched && schedule?.status === 'PENDENTE';
    if (!isKept && isPast(moment)) {
      form.setError('date', { message: 'errors:ERR_SCHEDULE_IN_PAST' });
      return;
    }
    const input: Partial<ScheduleInput> = {
      contactId: values.contact.id,
      body: values.body,
      ...(!isKept && { sendAt: moment.toISOString() }),
      // The ticket belongs to the contact for whom the form was opened.
      ...(ticketId !== undefined && values.contact.id === contact?.id && { ticketId }),
    };
    setBusy(true);
    try {
      const sent = file?.file && { file: file.file, onProgress: setProgress };
      await save.mutateAsync({ id: schedule?.id, fields: input, ...sent });
      setDone(true);
      toast.success(t('saved'));
      onClose();
    } catch (error) {
      const names = { contactId: 'contact', body: 'body', sendAt: 'date' } as const;
      showRefusal(form, error, { names });
    } finally {
      setBusy(false);
      setProgress(null);
    }
  });

  const takeAway = async () => {
    if (!schedule) return;
    try {
      await removeMedia(schedule.id);
      setFile(null);
      toast.success(t('mediaDeleted'));
    } catch (error) {
      toast.error(error);
    } finally {
      setRemoving(false);
    }
  };

  const sendAgain = () => {
    if (!schedule) return;
    retry.mutate(schedule.id, {
      onSuccess: () => {
        toast.success(t('retried'));
        setDone(true);
        onClose();
      },
      onError: toast.error,
    });
  };

  const sendsAt = momentOf(date, time) ?? start;
  const title = failed
    ? t('dialog.failed')
    : schedule
      ? t('dialog.stored', { status: t(`status.${schedule.status}`) })
      : t('dialog.add');
  const dirty = !locked && !done && (isDirty || file?.file !== undefined);

  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      dirty={dirty}
      title={title}
      // The first field to fill in.
      {...(!schedule && {
        initialFocus: () =>
          fields.current?.querySelector<HTMLElement>(contact ? 'textarea' : 'input') ?? null,
      })}
      onSubmit={(event) => {
        event.preventDefault();
        if (!locked) void submit();
      }}
      footer={
        <>
          {onDelete && (
            <IconButton
              label={t('common:actions.delete')}
              icon={<Trash2 size={16} />}
              me="auto"
              // Deleting would discard unsaved changes without a confirmation.
              disabled={dirty}
              onClick={onDelete}
            />
          )}
          <CancelButton
            // On a narrow screen three buttons do not fit, and the dialog's close button remains.
            display={{ base: failed ? 'none' : 'inline-flex', sm: 'inline-flex' }}
          >
            {locked ? t('common:actions.close') : t('common:actions.cancel')}
          </CancelButton>
          {failed && (
            <Button
              variant="outline"
              loading={retry.isPending}
              disabled={isDirty || file?.file !== undefined}
              onClick={sendAgain}
            >
              {t('actions.retry')}
            </Button>
          )}
          {!locked && (
            <Button type="submit" loading={busy}>
              {failed
                ? t('actions.replan')
                : schedule
                  ? t('common:actions.save')
                  : t('actions.plan')}
            </Button>
          )}
        </>
      }
    >
      {schedule && <Outcome schedule={schedule} />}
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: '1fr', sm: 'minmax(0, 1fr) 300px' }}
      >
        <chakra.div ref={fields} display="flex" flexDirection="column" gap="4" minW="0">
          <Controller
            control={form.control}
            name="contact"
            render={({ field }) => (
              <ContactField
                value={field.value}
                onChange={field.onChange}
                error={errorText(errors.contact?.message)}
                disabled={locked}
              />
            )}
          />
          <Controller
            control={form.control}
            name="body"
            render={({ field }) => (
              <MessageField
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={errorText(errors.body?.message)}
                readOnly={locked}
              />
            )}
          />
          {/* On a narrow screen the time wraps below the date. */}
          <chakra.div
            display="grid"
            gridTemplateColumns="repeat(auto-fit, minmax(min(100%, 144px), 1fr))"
            gap="3"
          >
            <Field label={t('fields.date')} error={errorText(errors.date?.message)} required>
              <Controller
                control={form.control}
                name="date"
                render={({ field }) => (
                  <DateField
                    {...field}
                    min={dayOf(new Date())}
                    readOnly={locked}
                    onBlur={() => void (date && form.trigger('date'))}
                  />
                )}
              />
            </Field>
            <Field label={t('fields.time')} error={errorText(errors.time?.message)} required>
              <Controller
                control={form.control}
                name="time"
                render={({ field }) => (
                  <TimeField
                    {...field}
                    readOnly={locked}
                    onBlur={() => void (time && form.trigger('time'))}
                  />
                )}
              />
            </Field>
          </chakra.div>
          {!locked && <WindowHint sendAt={sendsAt} />}
          <FileField
            file={file}
            readOnly={locked}
            progress={progress}
            onChange={(chosen) => {
              if (chosen) setFile(chosen);
              else if (file?.file) setFile(storedFile(schedule));
              else setRemoving(true);
            }}
          />
        </chakra.div>
        <MessagePreview
          label={t(schedule?.sentAt ? 'preview.sent' : 'preview.label')}
          text={body}
          file={file}
          name={chosenContact?.name}
          now={sendsAt}
        />
      </chakra.div>
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => void takeAway()}
        title={t('removeMedia.title', { name: file?.name })}
        confirmLabel={t('common:actions.delete')}
      >
        {t('removeMedia.text')}
      </ConfirmDialog>
    </Dialog>
  );
}
