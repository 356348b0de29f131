import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Check, CheckCheck, CircleAlert, Clock, SendHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { useNumberHelp } from '@/features/contacts/api';
import { templatesQuery } from '@/features/templates/api';
import { newClientId } from '@/lib/clientId';
import { showFieldErrors } from '@/lib/forms';
import { useCompanyEvent, useTicketRoom } from '@/lib/socket';
import { errorMessage } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useReason } from '@/lib/useReason';
import { useSendTestMessage } from './api';
import {
  testTemplates,
  stepOf,
  templateKey,
  testMessageSchema,
  type Step,
  type TestMessage,
  type TestMessageForm,
  type TestMessageInput,
} from './testMessage';
import type { Connection } from './types';

interface TestMessageDialogProps {
  connection: Connection;
  onClose: () => void;
}

const EMPTY: TestMessageForm = { number: '', template: '', body: '' };

/** Sends a test message through a connection and shows its status. */
export function TestMessageDialog({ connection, onClose }: TestMessageDialogProps) {
  const { t } = useTranslation('connections');
  const errorText = useErrorText();
  const isOfficial = connection.provider === 'official';
  const list = useQuery({ ...templatesQuery(connection.id), enabled: isOfficial });
  const templates = testTemplates(list.data ?? []);
  const [sent, setSent] = useState<{ message: TestMessage; input: TestMessageInput } | null>(null);
  const [failure, setFailure] = useState('');
  const send = useSendTestMessage(connection.id);
  const form = useForm<TestMessageForm>({
    resolver: zodResolver(testMessageSchema),
    defaultValues: EMPTY,
  });
  const { errors, isDirty } = form.formState;
  const chosen = useWatch({ control: form.control, name: 'template' });
  const numberHelp = useNumberHelp(
    useWatch({ control: form.control, name: 'number' }),
    t(isOfficial ? 'trial.numberHelpOfficial' : 'trial.numberHelp'),
    'goesTo',
  );

  /** One id for each content: changed content after a lost answer is another message. */
  const submission = useRef({ content: '', clientId: '' });
  const inputOf = ({ number, template, body }: TestMessageForm): TestMessageInput => {
    const content = JSON.stringify([number, template, body]);
    if (submission.current.content !== content)
      submission.current = { content, clientId: newClientId() };
    const { clientId } = submission.current;
    const found = templates.find((each) => templateKey(each) === template);
    if (!found) return { number, body, clientId };
    return { number, template: { name: found.name, language: found.language }, clientId };
  };
  const submit = (values: TestMessageForm) => {
    const input = inputOf(values);
    setFailure('');
    return send.mutateAsync(input).then(
      (message) => setSent({ message, input }),
      (error: unknown) => {
        if (!showFieldErrors(form, error)) setFailure(errorMessage(error));
      },
    );
  };
  const again = () => {
    submission.current = { content: '', clientId: '' };
    setSent(null);
  };

  const title = t('trial.title', { name: connection.name });
  if (sent)
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        footer={
          <>
            <Button variant="outline" onClick={again}>
              {t('trial.again')}
            </Button>
            <Button onClick={onClose}>{t('trial.done')}</Button>
          </>
        }
      >
        <Outcome connection={connection} message={sent.message} input={sent.input} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      dirty={isDirty}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
      footer={
        <>
          <CancelButton />
          <Button type="submit" icon={<SendHorizontal size={16} />} loading={send.isPending}>
            {t('trial.send')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <Field
          label={t('trial.number')}
          required
          help={numberHelp}
          error={errorText(errors.number?.message)}
        >
          <TextInput
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="5511987654321"
            {...form.register('number')}
          />
        </Field>
        {isOfficial && (
          <Field
            label={t('trial.what')}
            help={t(list.isError ? 'trial.noTemplates' : 'trial.whatHelp')}
            error={errorText(errors.template?.message)}
          >
            <Select
              placeholder={t('trial.freeText')}
              options={templates.map((each) => ({
                value: templateKey(each),
                label: `${each.name} (${each.language})`,
              }))}
              {...form.register('template')}
            />
          </Field>
        )}
        {chosen === '' && (
          <Field label={t('trial.body')} required error={errorText(errors.body?.message)}>
            <TextArea rows={3} {...form.register('body')} />
          </Field>
        )}
        {failure && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {failure}
          </chakra.p>
        )}
      </chakra.div>
    </Dialog>
  );
}

const STEPS = ['waiting', 'sent', 'delivered'] as const;
const SIGNS = { waiting: Clock, sent: Check, delivered: CheckCheck };
const PLACE: Record<Step, number> = { failed: 0, waiting: 0, sent: 1, delivered: 2, read: 2 };

/** The live status of the message. */
function Outcome(props: { connection: Connection; message: TestMessage; input: TestMessageInput }) {
  const { t } = useTranslation('connections');
  const { connection, input } = props;
  const [message, setMessage] = useState(props.message);
  const send = useSendTestMessage(connection.id);
  const reason = useReason()(message, message.errorReason);
  const heard = (told: TestMessage) =>
    setMessage((known) =>
      told.id === known.id && told.updatedAt >= known.updatedAt ? told : known,
    );
  useCompanyEvent('appMessage', (event) => {
    if (event.action === 'update') heard(event.message);
  });
  // Events before the room was joined are lost: the same submission again returns the current
  // status.
  useTicketRoom(message.ticketId, () => send.mutate(input, { onSuccess: heard }));
  const step = stepOf(message);
  const words = step === 'failed' && reason ? t('trial.failedBecause', { reason }) : undefined;
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {t('trial.to', { number: input.number })}
      </chakra.p>
      <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="3">
        {STEPS.map((each, index) => {
          const isReached = index <= PLACE[step];
          const Sign = SIGNS[each];
          return (
            <chakra.li
              key={each}
              display="flex"
              alignItems="center"
              gap="3"
              textStyle="md"
              aria-current={index === PLACE[step] && step !== 'failed' ? 'step' : undefined}
              color={isReached && step !== 'failed' ? 'fg.default' : 'fg.muted'}
              {...(isReached && step !== 'failed' && { fontWeight: 'semibold' })}
            >
              <chakra.span
                aria-hidden
                display="flex"
                p="1.5"
                borderRadius="full"
                bg={isReached && step !== 'failed' ? 'status.live.subtle' : 'bg.subtle'}
                color={isReached && step !== 'failed' ? 'status.live.fg' : 'fg.muted'}
              >
                <Sign size={16} />
              </chakra.span>
              {t(`trial.steps.${each}`)}
            </chakra.li>
          );
        })}
      </chakra.ol>
      <chakra.div role="status" textStyle="sm">
        {step === 'failed' ? (
          <chakra.p
            display="flex"
            gap="2"
            p="3"
            borderRadius="md"
            bg="status.danger.subtle"
            color="status.danger.fg"
            overflowWrap="anywhere"
          >
            <chakra.span flexShrink="0" display="flex" pt="0.5">
              <CircleAlert size={16} aria-hidden />
            </chakra.span>
            {words ?? t('trial.failed')}
          </chakra.p>
        ) : (
          <chakra.p color="fg.muted" overflowWrap="anywhere">
            {step === 'waiting' && reason ? reason : t(`trial.told.${step}`)}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}
