import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { Page } from '@/components/Page';
import { SupportLine } from '@/components/SupportLine';
import { TextInput } from '@/components/TextInput';
import { daysUntil, formatDay } from '@/lib/format';
import { usePlanWords } from '@/lib/planWords';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { checkoutQuery } from './api';
import { PlanSection } from './PlanSection';

/** The end of the trial, the billing contact, and the way to pay (rules/billing §4). */
export function SubscriptionPage() {
  const { t } = useTranslation('billing');
  const { company } = useCurrentUser();
  const words = usePlanWords();
  const [isOpen, setOpen] = useState(false);
  const read = [
    ['trial', useTrialWords(company.trialExpiresOn)],
    ['email', company.email || t('subscription.emailNone')],
    ['plan', `${company.plan.name} · ${words.price(company.plan)}`],
    ['activeUntil', formatDay(company.dueDate)],
  ] as const;
  return (
    <Page>
      <chakra.section
        w="full"
        maxW="520px"
        p={{ base: '4', sm: '6' }}
        display="flex"
        flexDirection="column"
        gap="4"
        bg="bg.surface"
        borderWidth="1px"
        borderRadius="lg"
      >
        {read.map(([name, text]) => (
          <Field key={name} label={t(`subscription.${name}`)}>
            <TextInput readOnly value={text} />
          </Field>
        ))}
        <Button mt="2" onClick={() => setOpen(true)}>
          {t('subscription.subscribe')}
        </Button>
      </chakra.section>
      <PlanSection />
      {isOpen && <ContactDialog onClose={() => setOpen(false)} />}
    </Page>
  );
}

/** The days between now and the end of the trial. */
function useTrialWords(trialExpiresOn: string | null): string {
  const { t } = useTranslation('billing');
  if (!trialExpiresOn) return t('subscription.trialNone');
  const days = daysUntil(trialExpiresOn);
  return days < 0
    ? t('subscription.trialOver', { date: formatDay(trialExpiresOn) })
    : t('subscription.trialLeft', { count: days });
}

/** How to subscribe: on the invoices page, or with help from support. */
function ContactDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('billing');
  const navigate = useNavigate();
  const support = useQuery(checkoutQuery()).data?.support;
  const isKnown = Boolean(support?.email || support?.phone);
  return (
    <Dialog
      open
      size="sm"
      title={t('subscription.dialog.title')}
      onClose={onClose}
      footer={
        <Button onClick={() => void navigate(paths.invoices)}>
          {t('subscription.dialog.invoices')}
        </Button>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="3">
        <p>{t('subscription.dialog.text')}</p>
        <chakra.div display="flex" flexDirection="column" gap="1">
          <chakra.p textStyle="sm" color="fg.muted">
            {t('subscription.dialog.help')}{' '}
            {support && !isKnown && t('subscription.dialog.noContact')}
          </chakra.p>
          {support && <SupportLine support={support} />}
        </chakra.div>
      </chakra.div>
    </Dialog>
  );
}
