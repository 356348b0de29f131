import { chakra } from '@chakra-ui/react';
import { Archive } from 'lucide-react';
import { useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Switch } from '@/components/Toggle';
import { toast } from '@/lib/toast';
import { useRequestArchive } from './api';

interface OptionProps {
  name: 'withMedia' | 'withPasswords';
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** An option with its help, and its switch beside them. */
function Option({ name, checked, onChange }: OptionProps) {
  const { t } = useTranslation('companyArchive');
  const id = useId();
  return (
    <chakra.div
      display="flex"
      alignItems="flex-start"
      gap="4"
      px={{ base: '4', sm: '5' }}
      py="3.5"
      _notFirst={{ borderTopWidth: '1px' }}
    >
      <chakra.div flex="1" minW="0">
        <chakra.label htmlFor={id} textStyle="md" fontWeight="medium">
          {t(`options.${name}.label`)}
        </chakra.label>
        <chakra.p id={`${id}-help`} mt="0.5" textStyle="sm" color="fg.muted" maxW="64ch">
          {t(`options.${name}.help`)}
        </chakra.p>
      </chakra.div>
      <Switch id={id} aria-describedby={`${id}-help`} checked={checked} onChange={onChange} />
    </chakra.div>
  );
}

/** Asks for an archive; `replaces`: one is there, which goes then. */
export function RequestForm({ replaces }: { replaces: boolean }) {
  const { t } = useTranslation('companyArchive');
  const request = useRequestArchive();
  const [withMedia, setMedia] = useState(true);
  const [withPasswords, setPasswords] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (request.isPending) return;
    request.mutate({ withMedia, withPasswords }, { onError: (error) => toast.error(error) });
  };
  return (
    <chakra.form aria-label={t(replaces ? 'again' : 'request')} onSubmit={submit}>
      {replaces && (
        <chakra.div mb="3">
          <chakra.h3 textStyle="md" fontWeight="semibold">
            {t('again')}
          </chakra.h3>
          <chakra.p textStyle="sm" color="fg.muted">
            {t('replaces')}
          </chakra.p>
        </chakra.div>
      )}
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface">
        <Option name="withMedia" checked={withMedia} onChange={setMedia} />
        <Option name="withPasswords" checked={withPasswords} onChange={setPasswords} />
      </chakra.div>
      <chakra.div display="flex" justifyContent="flex-end" mt="4">
        <Button
          type="submit"
          variant={replaces ? 'outline' : 'solid'}
          icon={<Archive size={16} />}
          loading={request.isPending}
        >
          {t(replaces ? 'again' : 'request')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
