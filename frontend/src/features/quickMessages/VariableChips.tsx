import { chakra } from '@chakra-ui/react';
import { Braces } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { VARIABLES } from '@/lib/variables';

/** The variables that a text may hold; one press puts one where the caret stands. */
export function VariableChips({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useTranslation('quickMessages');
  return (
    <chakra.div role="group" aria-label={t('variables.label')} mt="-2">
      <chakra.div display="flex" flexWrap="wrap" gap="1.5">
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
      <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
        {t('variables.help')}
      </chakra.p>
    </chakra.div>
  );
}
