import { chakra } from '@chakra-ui/react';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Tabs } from '@/components/Tabs';
import { TextArea } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { useInsertion, VariableChips, type OfferedVariable } from '@/components/VariableChips';
import { useErrorText } from '@/lib/useErrorText';
import { PERSONAL, unknownIn } from './filling';
import { TEXTS, type CampaignValues } from './schemas';
import type { OwnVariable } from './types';

interface MessageTabsProps {
  form: UseFormReturn<CampaignValues>;
  own: readonly OwnVariable[];
  isLocked: boolean;
  /** The index of the selected message, from 0. */
  tab: number;
  onTab: (tab: number) => void;
}

/** The five messages, each with its confirmation request if enabled. */
export function MessageTabs({ form, own, isLocked, tab, onTab }: MessageTabsProps) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const { formState } = form;
  const faultOf = (name: `${'messages' | 'confirmations'}.${number}`) =>
    form.getFieldState(name, formState).error;
  const [confirmation, messages, confirmations] = useWatch({
    control: form.control,
    name: ['confirmation', 'messages', 'confirmations'],
  });
  const isWritten = (index: number) =>
    Boolean(messages[index]?.trim() || (confirmation && confirmations[index]?.trim()));
  const isWrong = (index: number) =>
    Boolean(faultOf(`messages.${index}`) ?? faultOf(`confirmations.${index}`));

  return (
    <chakra.section aria-labelledby="campaign-messages" display="flex" flexDirection="column">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="4" rowGap="1">
        <chakra.h3 id="campaign-messages" textStyle="sm" fontWeight="semibold" flex="1">
          {t('messages.title')}
        </chakra.h3>
        <Controller
          control={form.control}
          name="confirmation"
          render={({ field }) => (
            <Switch
              checked={field.value}
              onChange={field.onChange}
              disabled={isLocked}
              label={t('fields.confirmation')}
            />
          )}
        />
      </chakra.div>
      <chakra.p textStyle="xs" color="fg.muted" mb="1">
        {t(confirmation ? 'messages.confirmationHelp' : 'messages.help')}
      </chakra.p>
      <Tabs
        aria-label={t('messages.title')}
        value={String(tab)}
        onChange={(value) => onTab(Number(value))}
        tabs={TEXTS.map((index) => ({
          value: String(index),
          label: t('messages.tab', { number: index + 1 }),
          badge: (isWrong(index) || isWritten(index)) && (
            <chakra.span
              role="img"
              aria-label={t(isWrong(index) ? 'messages.wrong' : 'messages.written')}
              w="1.5"
              h="1.5"
              borderRadius="full"
              bg={isWrong(index) ? 'status.danger.solid' : 'brand.solid'}
            />
          ),
          content: (
            <chakra.div display="flex" flexDirection="column" gap="4" pt="4">
              {confirmation && (
                <Controller
                  key={`confirmation ${index}`}
                  control={form.control}
                  name={`confirmations.${index}`}
                  render={({ field }) => (
                    <TextField
                      label={t('fields.confirmationMessage', { number: index + 1 })}
                      value={field.value}
                      onChange={field.onChange}
                      error={errorText(faultOf(`confirmations.${index}`)?.message)}
                      own={own}
                      isLocked={isLocked}
                    />
                  )}
                />
              )}
              <Controller
                key={`message ${index}`}
                control={form.control}
                name={`messages.${index}`}
                render={({ field }) => (
                  <TextField
                    label={t('fields.message', { number: index + 1 })}
                    value={field.value}
                    onChange={field.onChange}
                    error={errorText(faultOf(`messages.${index}`)?.message)}
                    own={own}
                    isLocked={isLocked}
                  />
                )}
              />
            </chakra.div>
          ),
        }))}
      />
    </chakra.section>
  );
}

/** The variables that a campaign's texts may contain. */
export function useOfferedVariables(own: readonly OwnVariable[]): OfferedVariable[] {
  const { t } = useTranslation(['campaigns', 'common']);
  return [
    ...PERSONAL.map((name) => ({ text: `{${name}}`, label: t(`variables.${name}`) })),
    { text: '{{firstName}}', label: t('common:variables.firstName') },
    { text: '{{ms}}', label: t('common:variables.ms') },
    ...own.map(({ key }) => ({ text: `{${key}}`, label: key })),
  ];
}

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  own: readonly OwnVariable[];
  isLocked: boolean;
}

function TextField({ label, value, onChange, error, own, isLocked }: TextFieldProps) {
  const { t } = useTranslation('campaigns');
  const { areaRef, insert } = useInsertion(value, onChange);
  const unknown = unknownIn(value, own);
  const offered = useOfferedVariables(own);
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Field label={label} error={error}>
        <TextArea
          ref={areaRef}
          rows={4}
          value={value}
          disabled={isLocked}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {unknown.length > 0 && (
        <chakra.p role="status" textStyle="xs" color="status.waiting.fg">
          {t('variables.unknown', {
            names: unknown.map((name) => `{${name}}`).join(', '),
            count: unknown.length,
          })}
        </chakra.p>
      )}
      {!isLocked && <VariableChips onPick={insert} variables={offered} />}
    </chakra.div>
  );
}
