import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { ASKED, hasOwnField, type AskedKind, type OptionDraft } from '../drafts';
import type { TreeCommands } from './useTree';

/** The length limit for the name of a contact's extra field. */
const MAX_FIELD = 100;

interface AskedValueProps {
  node: OptionDraft;
  errors: { asks: string | undefined; asksField: string | undefined };
  commands: TreeCommands;
}

/** The data that the option asks for, and the contact's field for the answer. */
export function AskedValue({ node: { key, asks, asksField }, errors, commands }: AskedValueProps) {
  const { t } = useTranslation('queueBot');
  const fieldFor = (kind: AskedKind | '') =>
    kind === '' || hasOwnField(kind) ? '' : t(`asks.fields.${kind}`);
  return (
    <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', sm: '2fr 3fr' }} gap="3">
      <Field
        label={t('asks.label')}
        help={asks ? t(`asks.checks.${asks}`) : t('asks.help')}
        error={errors.asks}
      >
        <Select
          value={asks}
          placeholder={t('asks.nothing')}
          options={ASKED.map((kind) => ({ value: kind, label: t(`asks.kinds.${kind}`) }))}
          onChange={({ target }) => {
            const kind = ASKED.find((each) => each === target.value) ?? '';
            commands.change(key, { asks: kind, asksField: fieldFor(kind) });
          }}
        />
      </Field>
      {asks && (
        <Field
          label={t('asks.field')}
          help={hasOwnField(asks) ? t(`asks.ownHelp.${asks}`) : t('asks.fieldHelp')}
          error={errors.asksField}
          required={!hasOwnField(asks)}
        >
          <TextInput
            value={asksField}
            maxLength={MAX_FIELD}
            autoComplete="off"
            placeholder={hasOwnField(asks) ? t(`asks.own.${asks}`) : t('asks.fieldExample')}
            onChange={({ target }) => commands.change(key, { asksField: target.value })}
            onKeyDown={(event) => {
              // Enter would submit the form of the surrounding dialog.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        </Field>
      )}
    </chakra.div>
  );
}
