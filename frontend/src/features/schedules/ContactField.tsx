import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '@/components/Combobox';
import { Field } from '@/components/Field';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { TextInput } from '@/components/TextInput';
import { contactSearchQuery } from '@/features/contacts/api';
import { formatPhone } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';

interface Choice {
  id: number;
  name: string;
  number?: string;
}

interface ContactFieldProps {
  value: Choice | null;
  onChange: (contact: Choice | null) => void;
  error: string | undefined;
  disabled: boolean;
}

const choiceKey = ({ id }: Choice) => String(id);
const choiceLabel = ({ name }: Choice) => name;

/** The recipient: found by three letters of the name, or by the number. */
export function ContactField({ value, onChange, error, disabled }: ContactFieldProps) {
  const { t } = useTranslation('schedules');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed, SEARCH_DEBOUNCE_MS);
  const found = useQuery(contactSearchQuery(search));
  const contacts: Choice[] = (found.data?.contacts ?? []).filter(({ number }) => number);
  return (
    <Field label={t('fields.contact')} error={error} required>
      {disabled ? (
        <TextInput readOnly value={value?.name ?? ''} />
      ) : (
        <Combobox
          items={contacts}
          itemKey={choiceKey}
          itemLabel={choiceLabel}
          renderItem={(item) => (
            <chakra.span display="flex" flexDirection="column">
              <span>{item.name}</span>
              {item.number && (
                <chakra.span textStyle="xs" color="fg.muted">
                  {formatPhone(item.number)}
                </chakra.span>
              )}
            </chakra.span>
          )}
          value={value}
          onChange={(chosen) => onChange(chosen && { id: chosen.id, name: chosen.name })}
          onSearch={setTyped}
          minCharacters={3}
          loading={typed !== search || found.isFetching}
          error={found.error && errorMessage(found.error)}
          placeholder={t('fields.contactPlaceholder')}
        />
      )}
    </Field>
  );
}
