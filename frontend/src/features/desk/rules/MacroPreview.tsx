import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '@/components/FormDialog';
import { LEAVES } from './catalogue';
import { namesOf } from './form';
import type { Macro } from './types';
import { useWords } from './useWords';

interface MacroPreviewProps {
  macro: Macro;
  busy: boolean;
  onRun: () => void;
  onClose: () => void;
}

/** What a macro will do, before a user runs it for the first time. */
export function MacroPreview({ macro, busy, onRun, onClose }: MacroPreviewProps) {
  const { t } = useTranslation('rules');
  const { actionSentence } = useWords(namesOf([macro]));
  const leaves = macro.actions.some((action) => LEAVES.includes(action.do));
  return (
    <FormDialog
      size="sm"
      low
      onClose={onClose}
      title={t('macros.preview', { name: macro.name })}
      onSubmit={onRun}
      submitLabel={t('macros.doIt')}
      busy={busy}
    >
      <chakra.ol ps="5" m="0" display="flex" flexDirection="column" gap="1">
        {macro.actions.map((action, index) => (
          // Actions have no identity but their place.
          <chakra.li key={index} overflowWrap="anywhere">
            {actionSentence(action, true)}
          </chakra.li>
        ))}
      </chakra.ol>
      <chakra.p mt="3" textStyle="sm" color="fg.muted">
        {t(leaves ? 'macros.cantUndo' : 'macros.canUndo')}
      </chakra.p>
    </FormDialog>
  );
}
