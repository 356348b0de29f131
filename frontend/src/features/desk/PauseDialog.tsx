import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { errorMessage } from '@/lib/toast';
import { useChoosePresence } from './calls';
import type { PauseReason } from './types';

/** The server's limit (rules/desk §5). */
const LONGEST = 1440;
const USUAL = 15;

interface PauseDialogProps {
  reasons: readonly PauseReason[];
  onClose: () => void;
}

/** A pause of another length than its reason proposes. */
export function PauseDialog({ reasons, onClose }: PauseDialogProps) {
  const { t } = useTranslation('desk');
  const choose = useChoosePresence();
  const [first] = useState({
    reasonId: String(reasons[0]?.id ?? ''),
    minutes: String(reasons[0]?.minutes ?? USUAL),
  });
  const [reasonId, setReasonId] = useState(first.reasonId);
  const [minutes, setMinutes] = useState(first.minutes);
  const [isTried, setTried] = useState(false);
  const number = Number(minutes);
  const isRight = Number.isInteger(number) && number >= 1 && number <= LONGEST;

  const submit = () => {
    setTried(true);
    if (!isRight) return;
    choose.mutate(
      {
        presence: 'paused',
        reasonId: reasonId ? Number(reasonId) : null,
        minutes: number,
      },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title={t('pause.title')}
      dirty={(reasonId !== first.reasonId || minutes !== first.minutes) && !choose.isSuccess}
      onSubmit={submit}
      submitLabel={t('pause.submit')}
      busy={choose.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        {reasons.length > 0 && (
          <Field label={t('pause.reason')} required>
            <Select
              autoFocus
              value={reasonId}
              onChange={(event) => {
                setReasonId(event.target.value);
                const chosen = reasons.find(({ id }) => String(id) === event.target.value);
                if (chosen) setMinutes(String(chosen.minutes));
              }}
              options={reasons.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </Field>
        )}
        <Field
          label={t('pause.minutes')}
          required
          error={isTried && !isRight ? t('pause.wrongMinutes', { most: LONGEST }) : undefined}
        >
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            value={minutes}
            onChange={(event) => setMinutes(event.target.value)}
          />
        </Field>
        {choose.isError && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(choose.error)}
          </chakra.p>
        )}
      </chakra.div>
    </FormDialog>
  );
}
