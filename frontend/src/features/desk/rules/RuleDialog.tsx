import { chakra } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { useSetting } from '@/features/settings/api';
import { errorMessage, toast } from '@/lib/toast';
import { RehearsalDialog } from '../rehearsals/RehearsalDialog';
import { RehearseButton } from '../rehearsals/RehearseButton';
import { ActionsEditor } from './ActionsEditor';
import { useSaveRule } from './calls';
import { UNTRIED } from './catalogue';
import { ConditionEditor } from './ConditionEditor';
import { faultOf, formOf, namesOf, ruleInput, type RuleForm } from './form';
import { TriggerLine } from './TriggerLine';
import { useLearned } from './useLearned';
import type { Rule, RuleInput } from './types';

interface RuleDialogProps {
  /** Null for another one. */
  rule: Rule | null;
  /** The company has no rule yet. */
  isFirst: boolean;
  onClose: () => void;
}

/** A rule as one sentence, whose underlined parts open choosers (rules/desk §12). */
export function RuleDialog({ rule, isFirst, onClose }: RuleDialogProps) {
  const { t } = useTranslation(['rules', 'common', 'rehearsals']);
  const [first] = useState(() => formOf(rule));
  const [form, setForm] = useState<RuleForm>(first);
  const [names, learn] = useLearned(namesOf(rule ? [rule] : []));
  // What is wrong is told when the form is to be saved.
  const [isJudged, setJudged] = useState(false);
  const save = useSaveRule(rule?.id ?? null);
  const isOn = useSetting('rules') === 'enabled';
  const hasDeadlines = useSetting('sla') === 'enabled';
  const { when } = form.trigger;
  const isTried = !UNTRIED.includes(when);
  const fault = faultOf(form);
  const change = (part: Partial<RuleForm>) => {
    save.reset();
    setForm((now) => ({ ...now, ...part }));
  };
  const message = save.isError
    ? errorMessage(save.error)
    : isJudged && fault
      ? t(`rules:${fault}`)
      : null;
  // What is tried, as the form was when that began.
  const [tried, setTried] = useState<RuleInput | null>(null);
  const rehearse = () => {
    setJudged(true);
    if (!fault) setTried(ruleInput(form));
  };
  const submit = (input = ruleInput(form)) => {
    setJudged(true);
    if (fault) return;
    save.mutate(input, {
      onSuccess: () => {
        toast.success(t('saved'));
        onClose();
      },
    });
  };
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      dirty={JSON.stringify(form) !== JSON.stringify(first) && !save.isSuccess}
      title={t(rule ? 'editTitle' : 'addTitle')}
      onSubmit={() => submit()}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
      beside={isTried && <RehearseButton onClick={rehearse} />}
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <Clause title={t('parts.when')}>
          <TriggerLine
            trigger={form.trigger}
            names={names}
            onChange={(trigger) => change({ trigger })}
            onLearn={learn}
          />
          {when === 'sla_step' && !hasDeadlines && <Hint>{t('noDeadlines')}</Hint>}
          {!isTried && <Hint>{t('rehearsals:notStored')}</Hint>}
        </Clause>
        <Clause title={t('parts.if')}>
          <ConditionEditor
            condition={form.condition}
            names={names}
            onChange={(condition) => change({ condition })}
            onLearn={learn}
          />
        </Clause>
        <Clause title={t('parts.then')}>
          <ActionsEditor
            actions={form.actions}
            isMacro={false}
            names={names}
            onChange={(actions) => change({ actions })}
            onLearn={learn}
          />
        </Clause>
        <Field label={t('name')}>
          <TextInput
            maxLength={80}
            placeholder={t('namePlaceholder')}
            value={form.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Switch label={t('isOn')} checked={form.isOn} onChange={(on) => change({ isOn: on })} />
        {!isOn && isFirst && form.isOn && <Hint>{t('firstOn')}</Hint>}
        {message && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {message}
          </chakra.p>
        )}
      </chakra.div>
      {tried && (
        <RehearsalDialog
          title={form.name || t('rehearsals:rule')}
          proposal={{ subject: 'rule', ruleId: rule?.id ?? null, rule: tried }}
          isOn={tried.isOn && (rule?.isOn ?? false)}
          onSwitchOn={() => {
            setTried(null);
            submit({ ...tried, isOn: true });
          }}
          onClose={() => setTried(null)}
        />
      )}
    </FormDialog>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <chakra.p textStyle="sm" color="fg.muted">
      {children}
    </chakra.p>
  );
}

/** 'Quando', 'Se' or 'Então', and what follows it. */
function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.section
      aria-label={title}
      display="flex"
      flexDirection={{ base: 'column', sm: 'row' }}
      gap={{ base: '1', sm: '3' }}
    >
      <chakra.h3 w="16" flexShrink="0" fontWeight="semibold" lineHeight="1.9">
        {title}
      </chakra.h3>
      <chakra.div flex="1" minW="0">
        {children}
      </chakra.div>
    </chakra.section>
  );
}
