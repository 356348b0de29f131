import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm, type FieldErrors } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '@/components/FormDialog';
import { Tabs } from '@/components/Tabs';
import { queuesQuery } from '@/features/queues/api';
import { ApiError } from '@/lib/api/errors';
import { showRefusal } from '@/lib/forms';
import { planAllows } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { useSaveConnection } from './api';
import { ApiSection } from './ApiSection';
import { BotSection } from './BotSection';
import { ConnectionSection } from './ConnectionSection';
import { FIELD_OF_WIRE, FIELDS, formOf, inputOf } from './form';
import { MessagesSection } from './MessagesSection';
import { PaceSection } from './PaceSection';
import {
  connectionSchema,
  firstField,
  SECTION_OF,
  type ConnectionField,
  type ConnectionForm,
  type SectionName,
} from './schemas';
import { TimersSection } from './TimersSection';
import type { Connection } from './types';

interface ConnectionDialogProps {
  /** The connection to edit; without it a new one is created. */
  connection?: Connection;
  /** The field to change, which gets the focus first. */
  startsAt?: ConnectionField | undefined;
  /** The first connection is the default one, whatever is chosen. */
  isFirst: boolean;
  onClose: () => void;
  /** Called if a new session must be linked to its phone. */
  onSession?: (connection: Connection) => void;
}

/** Runs a callback after the elements before it in the same tab are mounted. */
function OnMount({ run }: { run: () => void }) {
  const latest = useEffectEvent(run);
  useEffect(() => latest(), []);
  return null;
}

/** Edits a connection and all its settings. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const { connection, startsAt, isFirst, onClose, onSession } = props;
  const { t } = useTranslation(['connections', 'common']);
  const user = useCurrentUser();
  const [section, setSection] = useState<SectionName>(
    startsAt ? SECTION_OF[startsAt] : 'connection',
  );
  const [wanted, setWanted] = useState<ConnectionField | null>(startsAt ?? null);
  const [token, setToken] = useState<string | null>(null);
  const [hasToken, setHasToken] = useState(connection?.token !== '');
  const save = useSaveConnection(connection?.id);
  const form = useForm<ConnectionForm>({
    resolver: zodResolver(connectionSchema),
    defaultValues: formOf(connection, isFirst),
    // The wrong field may be in a tab that must be opened first.
    shouldFocusError: false,
  });
  const { errors, isDirty, dirtyFields } = form.formState;
  const queues = useQuery({ ...queuesQuery(), enabled: !connection && isFirst });
  const onlyQueue = queues.data?.length === 1 ? queues.data[0]?.id : undefined;
  const offerQueue = useEffectEvent((id: number) => {
    if (!form.getFieldState('queueIds').isDirty)
      form.resetField('queueIds', { defaultValue: [id] });
  });
  // The first number leads to the only queue, unless the admin chooses otherwise.
  useEffect(() => {
    if (onlyQueue !== undefined) offerQueue(onlyQueue);
  }, [onlyQueue]);
  const shown = {
    integrations: planAllows(user, 'useIntegrations'),
    prompts: planAllows(user, 'useOpenAi'),
  };

  /** A first number without a choice of queues gets the only one from the server. */
  const bodyOf = (values: ConnectionForm) => {
    const { queueIds, ...body } = inputOf(values, shown);
    const isLeftOut = isFirst && !queueIds?.length && !dirtyFields.queueIds;
    return isLeftOut ? body : { queueIds, ...body };
  };
  const show = (names: readonly string[]) => {
    const name = firstField(names);
    if (!name) return;
    setSection(SECTION_OF[name]);
    setWanted(name);
  };
  const submit = form.handleSubmit(
    (values) =>
      save.mutateAsync(bodyOf(values)).then(
        (saved) => {
          toast.success(t('saved'));
          onClose();
          if (!connection && saved.provider === 'beta') onSession?.(saved);
        },
        (error: unknown) => {
          showRefusal(form, error, { names: FIELD_OF_WIRE });
          if (error instanceof ApiError)
            show(Object.keys(error.fields).map((name) => FIELD_OF_WIRE[name] ?? name));
        },
      ),
    (wrong: FieldErrors<ConnectionForm>) => show(Object.keys(wrong)),
  );

  const hasErrors = (name: SectionName) =>
    FIELDS.some((each) => SECTION_OF[each] === name && errors[each]);
  const tab = (value: SectionName, content: React.ReactNode) => ({
    value,
    label: t(`tabs.${value}`),
    ...(hasErrors(value) && { badge: <Mark label={t('tabs.hasErrors')} /> }),
    content: (
      // As high as the highest tab, so that the tabs do not move.
      <chakra.div pt="5" minH={{ sm: 'min(656px, calc(100dvh - 264px))' }}>
        {content}
        {wanted && SECTION_OF[wanted] === value && (
          <OnMount
            run={() => {
              form.setFocus(wanted);
              setWanted(null);
            }}
          />
        )}
      </chakra.div>
    ),
  });

  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      dirty={isDirty && !save.isSuccess}
      title={connection ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={connection ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <Tabs
        aria-label={t('tabs.label')}
        value={section}
        onChange={setSection}
        tabs={[
          tab('connection', <ConnectionSection {...{ form, connection, isFirst }} />),
          tab('messages', <MessagesSection form={form} />),
          tab('bot', <BotSection {...{ form, shown }} />),
          tab('timers', <TimersSection form={form} />),
          tab('pace', <PaceSection {...{ form, connection }} />),
          ...(connection && planAllows(user, 'useExternalApi')
            ? [
                tab(
                  'api',
                  <ApiSection
                    {...{ connection, token, hasToken }}
                    onToken={(made) => {
                      setToken(made);
                      setHasToken(made !== null);
                    }}
                  />,
                ),
              ]
            : []),
        ]}
      />
    </FormDialog>
  );
}

/** Marks a tab that contains an error. */
function Mark({ label }: { label: string }) {
  return (
    <chakra.span
      role="img"
      aria-label={label}
      w="2"
      h="2"
      borderRadius="full"
      bg="status.danger.fg"
      flexShrink="0"
    />
  );
}
