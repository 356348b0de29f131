import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Keyboard, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { macrosQuery, useDeleteMacro } from './calls';
import { namesOf } from './form';
import { Key } from './Key';
import { MacroDialog } from './MacroDialog';
import type { Macro } from './types';
import { useWords } from './useWords';

/** The company's macros and the user's own (rules/desk §15). */
export function MacrosTab() {
  const { t } = useTranslation('rules');
  const user = useCurrentUser();
  const macros = useQuery(macrosQuery());
  const [edited, setEdited] = useState<Macro | 'new' | null>(null);
  const [leaving, setLeaving] = useState<Macro | null>(null);
  const remove = useDeleteMacro();
  const known = macros.data ?? [];
  const { thenSentence } = useWords(namesOf(known));
  const mayChange = (macro: Macro) => !macro.isShared || may(user, 'rules:manage');
  const add = (
    <Button icon={<Plus size={16} />} onClick={() => setEdited('new')}>
      {t('macros.add')}
    </Button>
  );
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      {macros.error && !macros.data ? (
        <ErrorState error={macros.error} onRetry={() => void macros.refetch()} />
      ) : !macros.data ? (
        <SkeletonRows rows={3} />
      ) : known.length === 0 ? (
        <EmptyState
          icon={<Keyboard size={20} />}
          title={t('macros.empty.title')}
          text={t('macros.empty.text')}
          action={add}
        />
      ) : (
        <>
          <chakra.p textStyle="sm" color="fg.muted">
            {t('macros.help')}
          </chakra.p>
          <chakra.ul listStyleType="none" m="0" p="0" display="flex" flexDirection="column" gap="3">
            {known.map((macro) => (
              <chakra.li
                key={macro.id}
                display="flex"
                alignItems="flex-start"
                gap="2"
                p="4"
                borderWidth="1px"
                borderRadius="md"
                bg="bg.surface"
              >
                <chakra.div flex="1" minW="0" display="flex" flexDirection="column" gap="1">
                  <chakra.div display="flex" alignItems="center" gap="2" flexWrap="wrap">
                    <chakra.h3 textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
                      {macro.name}
                    </chakra.h3>
                    {macro.shortcut && <Key>{macro.shortcut}</Key>}
                    <Badge>{t(macro.isShared ? 'macros.shared' : 'macros.own')}</Badge>
                  </chakra.div>
                  <chakra.p textStyle="sm" overflowWrap="anywhere">
                    {t('macroSentence', { then: thenSentence(macro.actions, true) })}
                  </chakra.p>
                  {macro.problem && (
                    <chakra.p textStyle="sm" color="status.danger.fg">
                      {t('macros.problem', { problem: macro.problem })}
                    </chakra.p>
                  )}
                </chakra.div>
                {mayChange(macro) && (
                  <>
                    <IconButton
                      size="sm"
                      icon={<Pencil size={16} />}
                      label={t('edit', { name: macro.name })}
                      onClick={() => setEdited(macro)}
                    />
                    <IconButton
                      size="sm"
                      icon={<Trash2 size={16} />}
                      label={t('macros.delete.label', { name: macro.name })}
                      onClick={() => setLeaving(macro)}
                    />
                  </>
                )}
              </chakra.li>
            ))}
          </chakra.ul>
          <chakra.div>{add}</chakra.div>
        </>
      )}
      {edited && (
        <MacroDialog
          key={edited === 'new' ? 'new' : edited.id}
          macro={edited === 'new' ? null : edited}
          taken={known
            .filter((macro) => macro !== edited && macro.shortcut)
            .map(({ shortcut }) => shortcut)}
          onClose={() => setEdited(null)}
        />
      )}
      {leaving && (
        <ConfirmDelete
          title={t('macros.delete.title', { name: leaving.name })}
          id={leaving.id}
          remove={remove}
          done={t('macros.delete.done')}
          onClose={() => setLeaving(null)}
        >
          {t('macros.delete.text')}
        </ConfirmDelete>
      )}
    </chakra.div>
  );
}
