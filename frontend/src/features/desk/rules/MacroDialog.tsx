import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { errorMessage, toast } from '@/lib/toast';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { ActionsEditor } from './ActionsEditor';
import { useSaveMacro } from './calls';
import { MACRO_KEYS } from './catalogue';
import { actionsFault, macroForm, namesOf } from './form';
import { useLearned } from './useLearned';
import type { Macro, MacroInput } from './types';

interface MacroDialogProps {
  /** Null for another one. */
  macro: Macro | null;
  /** Keys of other macros. */
  taken: readonly string[];
  onClose: () => void;
}

/** A macro: its name, its key, whose it is, and what it does as a sentence (rules/desk §15). */
export function MacroDialog({ macro, taken, onClose }: MacroDialogProps) {
  const { t } = useTranslation(['rules', 'common']);
  const user = useCurrentUser();
  const mayShare = may(user, 'rules:manage');
  const [first] = useState(() => macroForm(macro, mayShare));
  const [form, setForm] = useState<MacroInput>(first);
  const [names, learn] = useLearned(namesOf(macro ? [macro] : []));
  const [isJudged, setJudged] = useState(false);
  const save = useSaveMacro(macro?.id ?? null);
  const fault = form.name.trim() ? actionsFault(form.actions) : 'faults.name';
  const change = (part: Partial<MacroInput>) => {
    save.reset();
    setForm((now) => ({ ...now, ...part }));
  };
  const message = save.isError
    ? errorMessage(save.error)
    : isJudged && fault
      ? t(`rules:${fault}`)
      : null;
  const submit = () => {
    setJudged(true);
    if (fault) return;
    save.mutate(form, {
      onSuccess: () => {
        toast.success(t('macros.saved'));
        onClose();
      },
    });
  };
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      dirty={JSON.stringify(form) !== JSON.stringify(first) && !save.isSuccess}
      title={t(macro ? 'macros.editTitle' : 'macros.addTitle')}
      onSubmit={submit}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <Field label={t('macros.name')} required>
          <TextInput
            maxLength={80}
            value={form.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <chakra.section display="flex" flexDirection="column" gap="2">
          <chakra.h3 textStyle="sm" fontWeight="semibold">
            {t('macros.saves')}
          </chakra.h3>
          <ActionsEditor
            actions={form.actions}
            isMacro
            names={names}
            onChange={(actions) => change({ actions })}
            onLearn={learn}
          />
        </chakra.section>
        <chakra.div display="flex" gap="3" flexDirection={{ base: 'column', sm: 'row' }}>
          {mayShare && (
            <Field label={t('macros.whose')}>
              <Select
                options={[
                  { value: 'shared', label: t('macros.shared') },
                  { value: 'own', label: t('macros.own') },
                ]}
                value={form.isShared ? 'shared' : 'own'}
                onChange={(event) => change({ isShared: event.target.value === 'shared' })}
              />
            </Field>
          )}
          <Field label={t('macros.key')}>
            <Select
              placeholder={t('macros.noKey')}
              options={MACRO_KEYS.map((key) => ({
                value: key,
                label: `Alt ${key.toUpperCase()}`,
                disabled: taken.includes(key),
              }))}
              value={form.shortcut}
              onChange={(event) => change({ shortcut: event.target.value })}
            />
          </Field>
        </chakra.div>
        {message && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {message}
          </chakra.p>
        )}
      </chakra.div>
    </FormDialog>
  );
}
