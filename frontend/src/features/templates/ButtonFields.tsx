import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { TextInput } from '@/components/TextInput';
import { LIMITS, type TemplateFormButton } from './form';

interface ButtonFieldsProps {
  buttons: readonly TemplateFormButton[];
  errorOf: (field: string) => string | undefined;
  onChange: (buttons: TemplateFormButton[]) => void;
}

/** Whether a button's error is about its text: the text is checked first. */
const isOfText = ({ type, text }: TemplateFormButton) =>
  type === 'QUICK_REPLY' || !text.trim() || text.length > LIMITS.button || text.includes('{{');

/** The template's buttons, each with the fields of its type. */
export function ButtonFields({ buttons, errorOf, onChange }: ButtonFieldsProps) {
  const { t } = useTranslation('templatesPage');
  const change = (at: number, changes: Partial<TemplateFormButton>) =>
    onChange(buttons.map((button, index) => (index === at ? { ...button, ...changes } : button)));
  const general = errorOf('buttons');
  return (
    <>
      {buttons.map((button, index) => (
        <chakra.fieldset
          key={index}
          display="flex"
          flexDirection="column"
          gap="3"
          p="3"
          borderWidth="1px"
          borderRadius="md"
          minW="0"
        >
          <chakra.div display="flex" alignItems="center" justifyContent="space-between" gap="2">
            <chakra.legend textStyle="sm" fontWeight="semibold" float="left">
              {t(`buttons.${button.type}`)}
            </chakra.legend>
            <IconButton
              label={t('removeButton', { name: button.text || t(`buttons.${button.type}`) })}
              icon={<X size={16} />}
              size="sm"
              onClick={() => onChange(buttons.filter((_, at) => at !== index))}
            />
          </chakra.div>
          {button.type !== 'COPY_CODE' && (
            <Field
              label={t('fields.buttonText')}
              error={isOfText(button) ? errorOf(`buttons.${index}`) : undefined}
              required
            >
              <TextInput
                autoComplete="off"
                maxLength={LIMITS.button}
                value={button.text}
                onChange={(event) => change(index, { text: event.target.value })}
              />
            </Field>
          )}
          {button.type === 'URL' && (
            <Field
              label={t('fields.url')}
              help={t('fields.urlHelp', { variable: '{{1}}' })}
              error={isOfText(button) ? undefined : errorOf(`buttons.${index}`)}
              required
            >
              <TextInput
                autoComplete="off"
                inputMode="url"
                spellCheck={false}
                placeholder="https://"
                value={button.url}
                onChange={(event) => change(index, { url: event.target.value.trim() })}
              />
            </Field>
          )}
          {button.type === 'URL' && button.url.includes('{{') && (
            <Field label={t('fields.urlExample')} required>
              <TextInput
                autoComplete="off"
                spellCheck={false}
                value={button.example}
                onChange={(event) => change(index, { example: event.target.value })}
              />
            </Field>
          )}
          {button.type === 'PHONE_NUMBER' && (
            <Field
              label={t('fields.phone')}
              error={isOfText(button) ? undefined : errorOf(`buttons.${index}`)}
              required
            >
              <TextInput
                type="tel"
                autoComplete="off"
                maxLength={20}
                placeholder="+5511999998888"
                value={button.phone}
                onChange={(event) => change(index, { phone: event.target.value })}
              />
            </Field>
          )}
          {button.type === 'COPY_CODE' && (
            <Field label={t('fields.code')} error={errorOf(`buttons.${index}`)} required>
              <TextInput
                autoComplete="off"
                spellCheck={false}
                maxLength={20}
                value={button.example}
                onChange={(event) => change(index, { example: event.target.value })}
              />
            </Field>
          )}
        </chakra.fieldset>
      ))}
      {general && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg">
          {general}
        </chakra.p>
      )}
    </>
  );
}
