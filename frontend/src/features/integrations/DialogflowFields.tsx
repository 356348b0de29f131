import { chakra } from '@chakra-ui/react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { useErrorText } from '@/lib/useErrorText';
import { LANGUAGES, type IntegrationForm } from './schemas';
import type { Integration } from './types';

interface DialogflowFieldsProps {
  form: UseFormReturn<IntegrationForm>;
  integration: Integration | undefined;
}

/** The fields that only Dialogflow has, and a test. */
export function DialogflowFields({ form, integration }: DialogflowFieldsProps) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const { errors } = form.formState;
  const project = form.register('projectName');
  const json = form.register('jsonContent');
  return (
    <>
      <Field
        label={t('fields.project')}
        help={t('fields.projectHelp')}
        error={errorText(errors.projectName?.message)}
        required
      >
        <TextInput autoComplete="off" spellCheck={false} maxLength={100} {...project} />
      </Field>
      <Field label={t('fields.language')} error={errorText(errors.language?.message)}>
        <Select
          options={LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }))}
          {...form.register('language')}
        />
      </Field>
      <chakra.div gridColumn="1 / -1">
        <Field
          label={t('fields.json')}
          help={integration?.jsonContent ? t('fields.jsonKept') : t('fields.jsonHelp')}
          error={errorText(errors.jsonContent?.message)}
          required={!integration?.jsonContent}
        >
          <TextArea
            rows={6}
            fontFamily="mono"
            textStyle="xs"
            autoComplete="off"
            spellCheck={false}
            placeholder={integration?.jsonContent || '{ "type": "service_account", … }'}
            {...json}
            onChange={(event) => {
              void json.onChange(event);
              const name = projectOf(event.target.value);
              // The key contains the project name: the user need not type it.
              if (name && !form.getValues('projectName'))
                form.setValue('projectName', name, { shouldDirty: true, shouldValidate: true });
            }}
          />
        </Field>
      </chakra.div>
    </>
  );
}

function projectOf(json: string): string {
  try {
    const key = JSON.parse(json) as { project_id?: unknown } | null;
    return typeof key?.project_id === 'string' ? key.project_id : '';
  } catch {
    return '';
  }
}
