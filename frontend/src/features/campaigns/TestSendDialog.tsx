import { chakra } from '@chakra-ui/react';
import { CircleCheck, SendHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextArea } from '@/components/TextInput';
import { useKeptNumbers } from '@/features/contacts/api';
import { formatPhone } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { useTestSend } from './api';
import { TEXTS, valuesOf } from './schemas';
import { faultOf, MOST_NUMBERS, numbersIn, type NumbersFault } from './testSend';
import type { Campaign, SentTest } from './types';

interface TestSendDialogProps {
  campaign: Campaign;
  onClose: () => void;
}

/** Sends a campaign to a few test numbers; no recipient gets it, and no count changes. */
export function TestSendDialog({ campaign, onClose }: TestSendDialogProps) {
  const { t } = useTranslation(['campaigns', 'common']);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<NumbersFault | null>(null);
  const [sent, setSent] = useState<SentTest[] | null>(null);
  const send = useTestSend();
  const kept = useKeptNumbers(numbersIn(typed).slice(0, MOST_NUMBERS)).filter(Boolean);
  const { messages } = valuesOf(campaign);
  const written = TEXTS.filter((index) => messages[index]?.trim());
  const [chosen, setChosen] = useState(() => written.map((index) => String(index + 1))[0] ?? '');

  const submit = () => {
    const numbers = numbersIn(typed);
    const found = faultOf(numbers);
    setFault(found);
    if (found) return;
    send.mutate(
      { id: campaign.id, numbers, messageNumber: chosen ? Number(chosen) : null },
      { onSuccess: (answer) => setSent(answer.sent) },
    );
  };

  if (sent)
    return (
      <Dialog
        open
        low
        size="sm"
        onClose={onClose}
        title={t('trial.title')}
        footer={
          <>
            <Button variant="outline" onClick={() => setSent(null)}>
              {t('trial.again')}
            </Button>
            <Button onClick={onClose}>{t('common:actions.close')}</Button>
          </>
        }
      >
        <chakra.p role="status" textStyle="sm" color="fg.muted" mb="3">
          {t('trial.sent', { count: sent.length })}
        </chakra.p>
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="2">
          {sent.map(({ number, variant }) => (
            <chakra.li key={number} display="flex" alignItems="center" gap="2" textStyle="sm">
              <chakra.span display="flex" color="status.live.fg">
                <CircleCheck size={16} aria-hidden />
              </chakra.span>
              <chakra.span flex="1" fontVariantNumeric="tabular-nums">
                {formatPhone(number)}
              </chakra.span>
              {variant !== null && (
                <chakra.span color="fg.muted">{t('messages.tab', { number: variant })}</chakra.span>
              )}
            </chakra.li>
          ))}
        </chakra.ul>
      </Dialog>
    );
  return (
    <Dialog
      open
      low
      size="sm"
      onClose={onClose}
      dirty={typed.trim() !== ''}
      title={t('trial.title')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <CancelButton />
          <Button type="submit" icon={<SendHorizontal size={16} />} loading={send.isPending}>
            {t('trial.submit')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field
          label={t('trial.numbers')}
          required
          help={
            kept.length
              ? t('common:number.goesTo', { number: kept.join(', ') })
              : t('trial.numbersHelp', { limit: MOST_NUMBERS })
          }
          error={fault ? t(`trial.fault.${fault}`, { limit: MOST_NUMBERS }) : undefined}
        >
          <TextArea
            rows={2}
            inputMode="tel"
            placeholder="5511987654321"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        {written.length > 1 && (
          <Field label={t('trial.message')}>
            <Select
              options={written.map((index) => ({
                value: String(index + 1),
                label: t('messages.tab', { number: index + 1 }),
              }))}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            />
          </Field>
        )}
        {send.error && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(send.error)}
          </chakra.p>
        )}
      </chakra.div>
    </Dialog>
  );
}
