import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { ErrorState, SkeletonFields } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { contactQuery, useSaveContact } from '@/features/contacts/api';
import { may } from '@/lib/permissions';
import { errorMessage } from '@/lib/toast';
import { useClosing } from '@/stores/closing';
import { useCurrentUser } from '@/stores/session';
import { filledIn, isEmail, missingOf } from './closing';

/** Reasons beyond have no key. */
const KEYS = 9;

/** Asks `askClosing`'s question; mounted once in the application. */
export default function ClosingGuard() {
  const question = useClosing((closing) => closing.question);
  if (!question) return null;
  return <ClosingDialog key={question.subject.contactId} {...question} />;
}

type Question = NonNullable<ReturnType<typeof useClosing.getState>['question']>;

/**
 * What the company wants to know before a ticket is resolved (rules/tickets §19): a field for each
 * line that the contact lacks, and the reasons. With nothing to fill in, a digit is enough, and
 * without a list nothing is asked.
 */
function ClosingDialog({ subject, rules, answer }: Question) {
  const { t } = useTranslation('closing');
  const { reasons, fields } = rules;
  // Who may not read or fill in the contact hears from the server what it lacks.
  const mayFill = may(useCurrentUser(), 'contacts:edit');
  const asks = fields.length > 0 && mayFill;
  const contact = useQuery({ ...contactQuery(subject.contactId), enabled: asks });
  const save = useSaveContact(subject.contactId);
  const [values, setValues] = useState<Record<string, string>>({});
  const [isTried, setTried] = useState(false);
  const missing = contact.data ? missingOf(contact.data, fields) : [];
  const isEmpty = (field: string) => !values[field]?.trim();
  const isReady = !asks || contact.data !== undefined;
  const asksNothing = isReady && reasons.length === 0 && missing.length === 0 && !isTried;
  useEffect(() => {
    if (asksNothing) answer('');
  }, [asksNothing, answer]);

  const resolve = (reason: string) => {
    setTried(true);
    if (!isReady || missing.some(isEmpty) || save.isPending) return;
    if (missing.length === 0 || !contact.data) {
      answer(reason);
      return;
    }
    const typed = Object.fromEntries(missing.map((field) => [field, values[field]?.trim() ?? '']));
    save.mutate(filledIn(contact.data, typed), { onSuccess: () => answer(reason) });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    const isTyping = event.target instanceof HTMLInputElement;
    const reason = isPlain && !isTyping ? reasons[Number(event.key) - 1] : undefined;
    if (reason === undefined || Number(event.key) > KEYS) return;
    event.preventDefault();
    resolve(reason);
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);

  // Without a list there is a question only if the contact lacks something.
  if (asksNothing || (reasons.length === 0 && contact.isPending && contact.isFetching)) return null;
  return (
    <FormDialog
      onClose={() => answer(null)}
      dirty={missing.some((field) => !isEmpty(field))}
      title={t('title', { name: subject.name })}
      // With a list the reasons are the buttons.
      onSubmit={() => {
        const [only] = reasons;
        if (reasons.length <= 1) resolve(only ?? '');
        else setTried(true);
      }}
      submitLabel={reasons.length > 1 ? t('choose') : t('submit')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        {asks && contact.isPending && <SkeletonFields />}
        {contact.error && !contact.data && (
          <ErrorState
            title={t('failed')}
            error={contact.error}
            onRetry={() => void contact.refetch()}
          />
        )}
        {missing.map((field) => (
          <Field
            key={field}
            required
            label={isEmail(field) ? t('email') : field}
            error={isTried && isEmpty(field) ? t('required') : undefined}
          >
            <TextInput
              type={isEmail(field) ? 'email' : 'text'}
              maxLength={isEmail(field) ? 254 : 5000}
              value={values[field] ?? ''}
              onChange={(event) => setValues({ ...values, [field]: event.target.value })}
            />
          </Field>
        ))}
        {save.error && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(save.error)}
          </chakra.p>
        )}
        {reasons.length > 0 && isReady && (
          <chakra.div role="group" aria-label={t('reason')} display="flex" flexDirection="column">
            <chakra.p textStyle="sm" fontWeight="medium" pb="2">
              {t('reason')}
            </chakra.p>
            {isTried && reasons.length > 1 && missing.length === 0 && (
              <chakra.p role="alert" textStyle="xs" color="status.danger.fg" pb="2">
                {t('chooseOne')}
              </chakra.p>
            )}
            <chakra.ul display="flex" flexDirection="column" gap="2" listStyleType="none">
              {reasons.map((reason, place) => (
                <chakra.li key={reason}>
                  <Button
                    variant="outline"
                    w="full"
                    justifyContent="flex-start"
                    loading={save.isPending}
                    onClick={() => resolve(reason)}
                  >
                    {place < KEYS && (
                      <chakra.kbd
                        aria-hidden
                        px="1.5"
                        borderRadius="xs"
                        borderWidth="1px"
                        bg="bg.subtle"
                        fontFamily="inherit"
                        textStyle="xs"
                      >
                        {place + 1}
                      </chakra.kbd>
                    )}
                    <chakra.span flex="1" minW="0" textAlign="start" truncate>
                      {reason}
                    </chakra.span>
                  </Button>
                </chakra.li>
              ))}
            </chakra.ul>
          </chakra.div>
        )}
      </chakra.div>
    </FormDialog>
  );
}
