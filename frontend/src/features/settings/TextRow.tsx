import { chakra } from '@chakra-ui/react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { TextArea, TextInput } from '@/components/TextInput';
import { submitByKey } from '@/lib/submitByKey';
import { useUnsaved } from '@/lib/unsaved';
import { SettingRow } from './SettingRow';
import type { SettingKey } from './types';
import { useEditedSetting } from './useEditedSetting';

interface TextRowProps {
  name: SettingKey;
  /** Several lines. */
  lines?: boolean;
}

/** A setting that is a text, saved by its button. */
export function TextRow({ name, lines = false }: TextRowProps) {
  const { t } = useTranslation(['settings', 'common']);
  const setting = useEditedSetting(name);
  /** Null while it is as stored. */
  const [typed, setTyped] = useState<string | null>(null);
  const isChanged = typed !== null && typed !== setting.value;
  useUnsaved(isChanged, 'page');
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    if (typed !== null && setting.status !== 'pending') setting.save(typed, () => setTyped(null));
  };
  return (
    <SettingRow
      wide
      setting={setting}
      label={t(`options.${name}.label`)}
      help={t(`options.${name}.help`)}
    >
      {({ id, helpId }) => {
        const field = {
          id,
          'aria-describedby': helpId,
          value: typed ?? setting.value,
          onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
        };
        return (
          <chakra.form
            display="flex"
            flexWrap="wrap"
            alignItems="flex-end"
            gap="2"
            onSubmit={save}
            onKeyDown={submitByKey}
          >
            <chakra.div flex="1 1 240px" minW="0">
              {lines ? <TextArea {...field} rows={4} /> : <TextInput {...field} />}
            </chakra.div>
            <Button
              type="submit"
              variant="outline"
              disabled={!isChanged}
              loading={setting.status === 'pending'}
            >
              {t('common:actions.save')}
            </Button>
          </chakra.form>
        );
      }}
    </SettingRow>
  );
}
