import { chakra } from '@chakra-ui/react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import type { MediaKind } from '@/lib/templates/shown';
import { useErrorText } from '@/lib/useErrorText';
import type { Slot } from '@/lib/templates/filling';
import { HeaderUpload } from './HeaderUpload';
import { limitOf, type FormValues } from './schema';
import type { HeaderFileState } from './useHeaderFile';

interface TemplateFieldsProps {
  slots: readonly Slot[];
  media: MediaKind | null;
  header: HeaderFileState;
  form: UseFormReturn<FormValues>;
}

/** The fields of the chosen template; the placeholder of an empty field is the example. */
export function TemplateFields({ slots, media, header, form }: TemplateFieldsProps) {
  const { t } = useTranslation('templates');
  const errorText = useErrorText();
  const labelOf = ({ kind, place, name, label }: Slot) =>
    kind === 'text'
      ? t(place === 'header' ? 'field.header' : 'field.body', { name })
      : t(`field.${kind}`, { label });
  const errorOf = (slot: Slot, index: number) => {
    const message = form.formState.errors.values?.[index]?.message;
    return message === 'templates:errors.long'
      ? t('errors.long', { limit: limitOf(slot) })
      : errorText(message);
  };
  if (slots.length === 0 && !media) {
    return (
      <chakra.p textStyle="sm" color="fg.muted">
        {t('nothing')}
      </chakra.p>
    );
  }
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      {media && <HeaderUpload kind={media} state={header} />}
      {slots.map((slot, index) => (
        <Field key={slot.field} label={labelOf(slot)} required error={errorOf(slot, index)}>
          <TextInput
            autoComplete="off"
            placeholder={slot.example ? t('field.example', { example: slot.example }) : undefined}
            {...form.register(`values.${index}`)}
          />
        </Field>
      ))}
    </chakra.div>
  );
}
