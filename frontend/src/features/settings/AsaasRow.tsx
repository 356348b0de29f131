import { chakra } from '@chakra-ui/react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { PasswordInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useForgetSetting } from './api';
import { SettingRow } from './SettingRow';
import { useEditedSetting } from './useEditedSetting';

/** The company's own Asaas token; the server never returns it, only a mask. */
export function AsaasRow() {
  const { t } = useTranslation(['settings', 'common']);
  const setting = useEditedSetting('asaas');
  const forget = useForgetSetting('asaas');
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState(false);
  const isSet = setting.value !== '';
  useUnsaved(typed.trim() !== '', 'page');

  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    const token = typed.trim();
    if (!token || setting.status === 'pending') return;
    setting.save(token, () => setTyped(''));
  };
  const remove = () =>
    forget.mutate(undefined, {
      onSuccess: () => {
        setAsking(false);
        toast.success(t('saved'));
      },
      onError: (error) => toast.error(error),
    });

  return (
    <SettingRow
      wide
      setting={setting}
      label={t('options.asaas.label')}
      help={t('options.asaas.help')}
    >
      {({ helpId }) => (
        <>
          <chakra.form display="flex" flexWrap="wrap" gap="2" onSubmit={save}>
            <chakra.div flex="1 1 240px" minW="0">
              <PasswordInput
                aria-label={t('options.asaas.label')}
                aria-describedby={helpId}
                autoComplete="off"
                maxLength={500}
                placeholder={isSet ? t('options.asaas.kept') : t('options.asaas.empty')}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </chakra.div>
            <Button
              type="submit"
              variant="outline"
              disabled={!typed.trim()}
              loading={setting.status === 'pending'}
            >
              {t('common:actions.save')}
            </Button>
            {isSet && (
              <Button variant="ghost" onClick={() => setAsking(true)}>
                {t('options.asaas.remove')}
              </Button>
            )}
          </chakra.form>
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            onConfirm={remove}
            loading={forget.isPending}
            title={t('options.asaas.removeTitle')}
            confirmLabel={t('options.asaas.remove')}
          >
            {t('options.asaas.removeText')}
          </ConfirmDialog>
        </>
      )}
    </SettingRow>
  );
}
