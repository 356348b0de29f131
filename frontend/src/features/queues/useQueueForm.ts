import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/lib/api/errors';
import { fieldsInWords, showFieldErrors } from '@/lib/forms';
import { defaultHours, hoursErrors, refusedHours, type HoursErrors } from '@/lib/hours';
import { errorMessage, toast } from '@/lib/toast';
import { queueQuery, useSaveQueue } from './api';
import { optionErrors, type OptionErrors, type QueueDraft } from './drafts';
import { firstFree } from './palette';
import { adviceOf, firstOf } from './reach';
import { draftBody, type DraftBody } from './testChat/api';
import { draftOf, FIELD_OF_WIRE, missingWords, optionIds, queueBody, queueSchema } from './schemas';
import type { Queue, QueueWithOptions } from './types';

/** Where what is wrong stands. */
export type QueuePart = 'data' | 'hours';

interface QueueFormOptions {
  id: number | undefined;
  queues: readonly Queue[];
  onSaved: () => void;
  /** Something is wrong there: it should be seen. */
  onWrong: (part: QueuePart) => void;
}

/** A queue being edited: loads it once, saves it whole, and knows what was refused where. */
export function useQueueForm({ id, queues, onSaved, onWrong }: QueueFormOptions) {
  const { t } = useTranslation('queues');
  // What the edits began with: later news are for the server to compare, not to type over.
  const [seen, setSeen] = useState<QueueWithOptions | null>(null);
  const query = useQuery({ ...queueQuery(id ?? 0), enabled: id !== undefined && !seen });
  if (query.data && !seen) setSeen(query.data);
  const values = useMemo(() => seen && draftOf(seen), [seen]);
  const [fresh] = useState(() => newDraft(queues));
  const form = useForm<QueueDraft>({
    resolver: zodResolver(queueSchema),
    defaultValues: fresh,
    ...(values && { values }),
  });
  const save = useSaveQueue(id);
  const [refused, setRefused] = useState<{ options: OptionErrors; hours: HoursErrors }>(NOTHING);
  const [isConflict, setConflict] = useState(false);
  const [treeAttempt, setTreeAttempt] = useState(0);
  const [isSettling, setSettling] = useState(false);
  const { isSubmitted } = form.formState;
  const options = useWatch({ control: form.control, name: 'options' });

  const send = (draft: QueueDraft, saved: QueueWithOptions | null) =>
    save
      .mutateAsync({
        body: {
          ...queueBody(draft, saved ? optionIds(saved.options) : undefined),
          ...(saved && { ifUpdatedAt: saved.updatedAt }),
        },
        options: draft.options,
      })
      .then(
        ({ queue, failed }) => {
          toast.success(t('saved'));
          for (const { name, error } of failed)
            toast.error(new Error(t('fileFailed', { name, reason: errorMessage(error) })));
          const first = id === undefined && firstOf(queue);
          const advice = adviceOf(queue);
          if (first) toast.note(t(`first.${first}`, { name: queue.name }));
          else if (advice) toast.advice(t(`reach.${advice}`, { name: queue.name }));
          onSaved();
        },
        (error: unknown) => refuse(draft, error),
      );

  const refuse = (draft: QueueDraft, error: unknown) => {
    if (error instanceof ApiError && error.code === 'ERR_QUEUE_CHANGED') {
      setConflict(true);
      return;
    }
    const fields = fieldsInWords(error);
    const inOptions = optionErrors(draft.options, fields);
    const inHours = refusedHours(fields);
    setRefused({ options: inOptions, hours: inHours });
    const isNamed = showFieldErrors(form, error, FIELD_OF_WIRE);
    const isElsewhere = Object.keys(inOptions).length + Object.keys(inHours).length > 0;
    if (!isNamed && !isElsewhere) toast.error(error);
    if (!isNamed && Object.keys(inOptions).length > 0) setTreeAttempt(treeAttempt + 1);
    const isHours = Object.keys(inHours).length > 0 || 'outOfHoursMessage' in fields;
    onWrong(isHours ? 'hours' : 'data');
  };

  /** Goes on with what can be saved, as far as it can be told here. */
  const checked = (goOn: (draft: QueueDraft) => Promise<void> | void) =>
    form.handleSubmit(
      (draft) => {
        if (Object.keys(missingWords(draft.options)).length > 0) {
          onWrong('data');
          setTreeAttempt(treeAttempt + 1);
          return undefined;
        }
        if (Object.keys(hoursErrors(draft.schedules)).length > 0) {
          onWrong('hours');
          return undefined;
        }
        return goOn(draft);
      },
      (errors) => onWrong(Object.keys(errors).join() === 'outOfHoursMessage' ? 'hours' : 'data'),
    );

  const submit = checked((draft) => send(draft, seen));

  /** Asks what is saved now, and goes on with it. */
  const settle = async (goOn: (saved: QueueWithOptions) => Promise<void> | void) => {
    setSettling(true);
    try {
      const { data: saved } = await query.refetch({ throwOnError: true });
      setConflict(false);
      if (saved) await goOn(saved);
    } catch (error) {
      toast.error(error);
    } finally {
      setSettling(false);
    }
  };

  return {
    form,
    submit,
    /** Gives the queue, as the bot would read it, to whom tries it. */
    check: (onRight: (draft: DraftBody) => void) =>
      void checked((draft) => onRight(draftBody(draft)))(),
    isSaving: save.isPending,
    isDirty: form.formState.isDirty && !save.isSuccess,
    isLoading: id !== undefined && !seen && !query.isError,
    loadError: seen ? null : query.error,
    retry: () => void query.refetch(),
    optionErrors: {
      ...((isSubmitted || treeAttempt > 0) && missingWords(options)),
      ...refused.options,
    },
    /** How often a save failed because of the options. */
    treeAttempt,
    hoursErrors: refused.hours,
    /** To be called with every change of options or hours: what was refused is another by now. */
    forgetRefusal: () => {
      if (refused !== NOTHING) setRefused(NOTHING);
    },
    conflict: isConflict
      ? {
          busy: isSettling || save.isPending,
          onClose: () => setConflict(false),
          onReload: () =>
            void settle((saved) => {
              setRefused(NOTHING);
              setSeen(saved);
            }),
          onOverwrite: () => void settle((saved) => send(form.getValues(), saved)),
        }
      : null,
  };
}

const NOTHING: { options: OptionErrors; hours: HoursErrors } = { options: {}, hours: {} };

function newDraft(queues: readonly Queue[]): QueueDraft {
  return {
    name: '',
    color: firstFree(queues.map(({ color }) => color)),
    orderQueue: Math.max(0, ...queues.map(({ orderQueue }) => orderQueue ?? 0)) + 1,
    greetingMessage: '',
    completionMessage: '',
    outOfHoursMessage: '',
    ratingMessage: '',
    expireChat: false,
    asksTransferNote: false,
    schedules: defaultHours(),
    integrationId: null,
    promptId: null,
    options: [],
  };
}
