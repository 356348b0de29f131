import { chakra } from '@chakra-ui/react';
import { Braces } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { VARIABLES } from '@/lib/variables';

/**
 * Puts words where the caret of a text stands, and leaves the caret after them. `areaRef` goes to
 * the field; `onChange` gets the whole new text.
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

/** The variables that a text may hold; one press gives one to be put where the caret stands. */
export function VariableChips({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useTranslation();
  return (
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
          onClick={() => onPick(`{{${name}}}`)}
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
          {t(`variables.${name}`)}
        </chakra.button>
      ))}
    </chakra.div>
  );
}
