import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FormFooter } from '@/components/FormFooter';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { formatPhone } from '@/lib/format';
import { post, useAct, type Customer } from './api';

interface Props {
  customer: Customer;
  onClose: () => void;
}

/** The customer's name at WhatsApp, and whether businesses see the number. */
export function ProfileDialog({ customer, onClose }: Props) {
  const { t } = useTranslation('simulator');
  const [username, setUsername] = useState(customer.username);
  const [hidden, setHidden] = useState(customer.hidesNumber);
  const save = useAct(() =>
    post('/customers', { wa_id: customer.waId, username, hides_number: hidden }),
  );
  const canHide = username.trim() !== '';
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('profile.title', { name: customer.name })}
      dirty={username !== customer.username || hidden !== customer.hidesNumber}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined, { onSuccess: onClose });
      }}
      footer={<FormFooter submit={t('profile.save')} busy={save.isPending} />}
    >
      <chakra.div display="grid" gap="4">
        <chakra.p textStyle="sm" color="fg.muted">
          {formatPhone(customer.waId)}
        </chakra.p>
        <Field
          label={t('profile.username')}
          help={t('profile.usernameHelp')}
          error={save.isError ? t('profile.refused') : undefined}
        >
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </Field>
        <Switch
          checked={hidden && canHide}
          disabled={!canHide}
          onChange={setHidden}
          label={t('profile.hides')}
        />
      </chakra.div>
    </Dialog>
  );
}
