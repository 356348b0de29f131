import { chakra } from '@chakra-ui/react';
import { Braces } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { VARIABLES } from '@/lib/variables';

/**
 * Inserts text at the caret and puts the caret after it. `areaRef` belongs to the field; `onChange`
 * gets the whole new text.
 */
export function useInsertion(value: string, onChange: (text: string) => void) {
  const areaRef = useRef<HTMLTextAreaElement | null>(null);
  const caret = useRef<number | null>(null);
  useEffect(() => {
    if (caret.current === null) return;
    areaRef.current?.focus();
    areaRef.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);
  const insert = (text: string) => {
    const start = areaRef.current?.selectionStart ?? value.length;
    const end = areaRef.current?.selectionEnd ?? value.length;
    caret.current = start + text.length;
    onChange(value.slice(0, start) + text + value.slice(end));
  };
  return { areaRef, insert };
}

export interface OfferedVariable {
  /** The variable as written in a text: '{{name}}'. */
  text: string;
  label: string;
}

interface VariableChipsProps {
  onPick: (text: string) => void;
  /** The offered variables; by default those of all the company's texts. */
  variables?: readonly OfferedVariable[];
}

/** The variables that a text may contain; a press inserts one at the caret. */
export function VariableChips({ onPick, variables }: VariableChipsProps) {
  const { t } = useTranslation();
  const offered =
    variables ?? VARIABLES.map((name) => ({ text: `{{${name}}}`, label: t(`variables.${name}`) }));
  return (
    <chakra.div
      role="group"
      aria-label={t('variables.label')}
      display="flex"
      flexWrap="wrap"
      gap="1.5"
    >
      {offered.map(({ text, label }) => (
        <chakra.button
          key={text}
          type="button"
          title={text}
          // Keeps the focus and the caret in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(text)}
          display="inline-flex"
          alignItems="center"
          gap="1"
          h="7"
          px="2"
          borderRadius="sm"
          borderWidth="1px"
          borderColor="border.strong"
          bg="bg.surface"
          textStyle="xs"
          fontWeight="medium"
          cursor="pointer"
          _hover={{ bg: 'bg.hover' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
        >
          <Braces size={14} aria-hidden />
          {label}
        </chakra.button>
      ))}
    </chakra.div>
  );
}
