import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { TextArea, TextInput } from '@/components/TextInput';
import type { TestForm } from './api';

interface FormInChatProps {
  form: TestForm;
  disabled: boolean;
  onSend: (text: string, values: Record<string, string>, first: string) => void;
}

/** The form of several questions, as WhatsApp opens it. */
export function FormInChat({ form, disabled, onSend }: FormInChatProps) {
  const { t } = useTranslation('queueBot');
  const [values, setValues] = useState<Record<string, string>>({});
  const { questions } = form;
  const isFull = questions.every(({ optionId }) => values[optionId]?.trim());
  const send = () => {
    const lines = questions.map(({ optionId, title }) => `${title}: ${values[optionId] ?? ''}`);
    onSend(lines.join('\n'), values, form.first);
  };
  return (
    <chakra.div
      role="group"
      aria-label={t('chat.form', { title: form.title })}
      alignSelf="flex-start"
      w="88%"
      display="flex"
      flexDirection="column"
      gap="3"
      p="3"
      borderWidth="1px"
      borderColor="bubble.in.border"
      borderRadius="lg"
      bg="bubble.in"
    >
      <chakra.p textStyle="sm" fontWeight="semibold">
        {form.title}
      </chakra.p>
      {questions.map(({ optionId, title, text, asks }) => {
        const Control = asks === 'text' ? TextArea : TextInput;
        return (
          <Field key={optionId} label={title} help={text}>
            <Control
              value={values[optionId] ?? ''}
              disabled={disabled}
              maxLength={1000}
              autoComplete="off"
              onChange={({ target }: { target: { value: string } }) =>
                setValues((before) => ({ ...before, [optionId]: target.value }))
              }
              onKeyDown={(event: React.KeyboardEvent) => {
                // Enter would submit the form of the surrounding dialog.
                if (event.key === 'Enter' && asks !== 'text') event.preventDefault();
              }}
            />
          </Field>
        );
      })}
      <Button size="sm" disabled={disabled || !isFull} onClick={send}>
        {t('chat.sendForm')}
      </Button>
    </chakra.div>
  );
}
