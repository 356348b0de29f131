import { chakra } from '@chakra-ui/react';
import { Braces } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { TextArea } from '@/components/TextInput';
import { unknownVariables } from './unknown';
import { VARIABLES } from '@/lib/variables';

interface MessageFieldProps {
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
  error: string | undefined;
  readOnly: boolean;
}

/** The text, and the variables that one press puts where the caret stands. */
export function MessageField({ value, onChange, onBlur, error, readOnly }: MessageFieldProps) {
  const { t } = useTranslation('schedules');
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  useEffect(() => {
    if (caret.current === null) return;
    area.current?.focus();
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);

  const insert = (text: string) => {
    const start = area.current?.selectionStart ?? value.length;
    const end = area.current?.selectionEnd ?? value.length;
    caret.current = start + text.length;
    onChange(value.slice(0, start) + text + value.slice(end));
  };
  const unknown = unknownVariables(value);

  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Field label={t('fields.body')} error={error} required>
        <TextArea
          ref={area}
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
      {!readOnly && (
        <chakra.div
          role="group"
          aria-label={t('variables.label')}
          display="flex"
          flexWrap="wrap"
          gap="1.5"
        >
          {VARIABLES.map((name) => (
            <chakra.button
              key={name}
              type="button"
              title={`{{${name}}}`}
              // The text keeps its caret.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(`{{${name}}}`)}
              display="inline-flex"
              alignItems="center"
              gap="1"
              h="7"
              px="2"
              borderWidth="1px"
              borderColor="border.strong"
              borderRadius="sm"
              bg="bg.surface"
              textStyle="xs"
              fontWeight="medium"
              cursor="pointer"
              _hover={{ bg: 'bg.hover' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              <Braces size={14} aria-hidden />
              {t(`variables.${name}`)}
            </chakra.button>
          ))}
        </chakra.div>
      )}
    </chakra.div>
  );
}
