import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextArea } from '@/components/TextInput';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { unknownVariables } from './unknownVariables';

interface MessageFieldProps {
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
  error: string | undefined;
  readOnly: boolean;
}

/** The message's text, with buttons that insert variables at the caret. */
export function MessageField({ value, onChange, onBlur, error, readOnly }: MessageFieldProps) {
  const { t } = useTranslation('schedules');
  const { areaRef, insert } = useInsertion(value, onChange);
  const unknown = unknownVariables(value);

  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Field label={t('fields.body')} error={error} required>
        <TextArea
          ref={areaRef}
          rows={5}
          value={value}
          readOnly={readOnly}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </Field>
      {unknown.length > 0 && (
        <chakra.p role="status" textStyle="xs" color="status.waiting.fg">
          {t('variables.unknown', { names: unknown.join(', '), count: unknown.length })}
        </chakra.p>
      )}
      {!readOnly && <VariableChips onPick={insert} />}
    </chakra.div>
  );
}
