import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { useLedgerAction } from './api';
import { amountOf, amountText } from './amounts';
import type { LedgerDetail, LedgerPayment } from './types';

export type Action =
  { verb: 'payments' | 'credit' | 'cancel' } | { verb: 'refund'; payment: LedgerPayment };

interface LedgerActionProps {
  detail: LedgerDetail;
  action: Action;
  onClose: () => void;
}

/** The form of one action: its amount and its words. */
export function LedgerAction({ detail, action, onClose }: LedgerActionProps) {
  const { t } = useTranslation('ledger');
  const { verb } = action;
  const most = verb === 'refund' ? action.payment.value - action.payment.refunded : detail.due;
  const [value, setValue] = useState(verb === 'credit' ? '' : amountText(most));
  const [note, setNote] = useState('');
  const [isTried, setTried] = useState(false);
  const carryOut = useLedgerAction(detail.invoice.id);
  const amount = amountOf(value);
  const isFree = verb === 'cancel' || (verb === 'payments' && detail.due === 0);

  const submit = () => {
    setTried(true);
    if (!isFree && amount === null) return;
    const fields = isFree
      ? {}
      : verb === 'refund'
        ? { payment: action.payment.id, value: amount }
        : verb === 'credit'
          ? { value: amount, note }
          : { value: amount, reference: note };
    carryOut.mutate(
      { verb, fields },
      {
        onSuccess: () => {
          toast.success(t(`done.${verb}`));
          onClose();
        },
        onError: toast.error,
      },
    );
  };

  return (
    <FormDialog
      size="sm"
      title={t(`actions.${verb}`)}
      submitLabel={t(`actions.${verb}`)}
      busy={carryOut.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.p textStyle="sm" color="fg.muted">
          {t(`explain.${verb}`, { company: detail.invoice.companyName })}
        </chakra.p>
        {!isFree && (
          <Field
            label={t('amount')}
            error={isTried && amount === null ? t('amountWrong') : undefined}
          >
            <TextInput
              inputMode="decimal"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          </Field>
        )}
        {(verb === 'credit' || (verb === 'payments' && !isFree)) && (
          <Field label={t(verb === 'credit' ? 'note' : 'reference')}>
            <TextInput
              maxLength={verb === 'credit' ? 200 : 100}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          </Field>
        )}
      </chakra.div>
    </FormDialog>
  );
}
