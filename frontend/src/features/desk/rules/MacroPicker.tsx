import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Dialog } from '@/components/Dialog';
import { ErrorState, SkeletonRows } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { foldText } from '@/lib/search';
import { paths } from '@/routes/paths';
import { focusVisible } from '@/theme/recipes/controls';
import { macrosQuery } from './calls';
import { namesOf } from './form';
import { Key } from './Key';
import type { Macro } from './types';
import { useWords } from './useWords';

interface MacroPickerProps {
  onPick: (macro: Macro) => void;
  onClose: () => void;
}

/** The macros for a conversation: searched, or chosen by their keys (rules/desk §15). */
export function MacroPicker({ onPick, onClose }: MacroPickerProps) {
  const { t } = useTranslation('rules');
  const macros = useQuery(macrosQuery());
  const [text, setText] = useState('');
  const known = macros.data ?? [];
  const found = known.filter(({ name }) => foldText(name).includes(foldText(text)));
  const { thenSentence } = useWords(namesOf(known));
  return (
    <Dialog
      open
      low
      onClose={onClose}
      title={t('macros.title')}
      size="sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (found[0]) onPick(found[0]);
      }}
    >
      {macros.error && !macros.data ? (
        <ErrorState error={macros.error} onRetry={() => void macros.refetch()} />
      ) : !macros.data ? (
        <SkeletonRows rows={3} />
      ) : known.length === 0 ? (
        <chakra.p
          textStyle="sm"
          css={{ '& a': { color: 'brand.fg', textDecoration: 'underline' } }}
        >
          {t('macros.none')} <Link to={`${paths.rules}?part=macros`}>{t('macros.manage')}</Link>
        </chakra.p>
      ) : (
        <chakra.div display="flex" flexDirection="column" gap="2">
          <TextInput
            aria-label={t('macros.search')}
            placeholder={t('macros.search')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <chakra.div display="flex" flexDirection="column" maxH="320px" overflowY="auto">
            {found.map((macro) => (
              <chakra.button
                key={macro.id}
                type="button"
                display="flex"
                alignItems="center"
                gap="2"
                px="2"
                py="1.5"
                textAlign="start"
                borderRadius="sm"
                cursor="pointer"
                _hover={{ bg: 'bg.hover' }}
                _focusVisible={focusVisible}
                onClick={() => onPick(macro)}
              >
                <chakra.span flex="1" minW="0">
                  <chakra.span display="block" fontWeight="semibold" textStyle="sm" truncate>
                    {macro.name}
                  </chakra.span>
                  <chakra.span display="block" textStyle="xs" color="fg.muted" truncate>
                    {thenSentence(macro.actions, true)}
                  </chakra.span>
                </chakra.span>
                {macro.shortcut && <Key>{macro.shortcut}</Key>}
              </chakra.button>
            ))}
            {found.length === 0 && (
              <chakra.p textStyle="sm" color="fg.muted">
                {t('chooser.none')}
              </chakra.p>
            )}
          </chakra.div>
        </chakra.div>
      )}
    </Dialog>
  );
}
