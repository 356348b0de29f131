import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useController, type Control } from 'react-hook-form';
import { Field } from '@/components/Field';
import { TextArea } from '@/components/TextInput';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { useErrorText } from '@/lib/useErrorText';
import { MAX_TEXT, type QueueDraft } from './drafts';

interface MessageFieldProps {
  control: Control<QueueDraft>;
  name: 'greetingMessage' | 'completionMessage' | 'outOfHoursMessage' | 'ratingMessage';
  label: ReactNode;
  help?: ReactNode;
}

/** A text to the contact, in a growing field, and its variables. */
export function MessageField({ control, name, label, help }: MessageFieldProps) {
  const { field, fieldState } = useController({ control, name });
  const { areaRef, insert } = useInsertion(field.value, field.onChange);
  const errorText = useErrorText();
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Field label={label} help={help} error={errorText(fieldState.error?.message)}>
        <TextArea
          rows={2}
          maxLength={MAX_TEXT}
          minH="15"
          maxH="220px"
          css={{ fieldSizing: 'content' }}
          name={field.name}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          ref={(area) => {
            areaRef.current = area;
            field.ref(area);
          }}
        />
      </Field>
      <VariableChips onPick={insert} />
    </chakra.div>
  );
}
