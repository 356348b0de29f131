import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { FormDialog } from '@/components/FormDialog';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { tagsQuery } from '@/features/tags/api';
import { errorMessage, toast } from '@/lib/toast';
import { RehearsalDialog } from '../rehearsals/RehearsalDialog';
import { RehearseButton } from '../rehearsals/RehearseButton';
import { useHasDeadlines, useSavePolicy } from './api';
import {
  faultOf,
  formOf,
  inputOf,
  minutesOf,
  newStep,
  type PolicyForm,
  type Scope,
  type StepForm,
} from './form';
import { StepLine } from './StepLine';
import { KINDS, PRIORITIES, type PolicyInput, type SlaKind, type SlaPolicy } from './types';

interface PolicyDialogProps {
  /** Null for another one. */
  policy: SlaPolicy | null;
  /** What has times already can't get others. */
  taken: readonly SlaPolicy[];
  onClose: () => void;
}

/** Times for a queue, a tag or a priority, in sentences with choices (rules/desk §8 and §10). */
export function PolicyDialog({ policy, taken, onClose }: PolicyDialogProps) {
  const { t } = useTranslation(['deadlines', 'common']);
  const [first] = useState(() => formOf(policy));
  const [form, setForm] = useState<PolicyForm>(first);
  // What is wrong is told when the form is to be saved.
  const [isJudged, setJudged] = useState(false);
  const save = useSavePolicy(policy?.id ?? null);
  const isOn = useHasDeadlines();
  const fault = faultOf(form);
  const change = (part: Partial<PolicyForm>) => {
    save.reset();
    setForm((now) => ({ ...now, ...part }));
  };
  const setStep = (key: number, part: Partial<StepForm>) =>
    change({ steps: form.steps.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  const timed = KINDS.filter((kind) => minutesOf(form.spans[kind]) !== null);
  const message = save.isError
    ? errorMessage(save.error)
    : isJudged && fault
      ? t(`deadlines:${fault}`)
      : null;

  // What is tried, as the form was when that began.
  const [tried, setTried] = useState<PolicyInput | null>(null);
  const rehearse = () => {
    setJudged(true);
    if (!fault) setTried(inputOf(form));
  };
  const submit = () => {
    setJudged(true);
    if (fault) return;
    save.mutate(inputOf(form), {
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
      title={t(policy ? 'editTitle' : 'addTitle')}
      onSubmit={submit}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
      beside={<RehearseButton onClick={rehearse} />}
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <ScopeLine form={form} taken={taken} own={policy} onChange={change} />
        <chakra.div display="flex" flexDirection="column" gap="2">
          {KINDS.map((kind) => (
            <SpanLine
              key={kind}
              kind={kind}
              form={form}
              onChange={(span) => change({ spans: { ...form.spans, [kind]: span } })}
            />
          ))}
          <chakra.p textStyle="xs" color="fg.muted">
            {t('spanHelp')}
          </chakra.p>
        </chakra.div>
        <chakra.section aria-label={t('steps.title')} display="flex" flexDirection="column" gap="3">
          <chakra.h3 textStyle="sm" fontWeight="semibold">
            {t('steps.title')}
          </chakra.h3>
          {form.steps.length === 0 && (
            <chakra.p textStyle="sm" color="fg.muted">
              {t('steps.none')}
            </chakra.p>
          )}
          {form.steps.map((step, index) => (
            <StepLine
              key={step.key}
              number={index + 1}
              step={step}
              kinds={timed}
              onChange={(part) => setStep(step.key, part)}
              onRemove={() => change({ steps: form.steps.filter(({ key }) => key !== step.key) })}
            />
          ))}
          <chakra.div>
            <Button
              variant="outline"
              size="sm"
              icon={<Plus size={16} />}
              disabled={timed.length === 0 || form.steps.length >= 20}
              onClick={() =>
                change({ steps: [...form.steps, newStep(timed[0] ?? 'first_answer')] })
              }
            >
              {t('steps.add')}
            </Button>
          </chakra.div>
        </chakra.section>
        {!isOn && (
          <chakra.p textStyle="sm" color="fg.muted">
            {t('switchesOn')}
          </chakra.p>
        )}
        {message && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {message}
          </chakra.p>
        )}
      </chakra.div>
      {tried && (
        <RehearsalDialog
          title={t(policy ? 'editTitle' : 'addTitle')}
          proposal={{ subject: 'sla', slaId: policy?.id ?? null, sla: tried }}
          isOn={isOn && policy !== null}
          onSwitchOn={() => {
            setTried(null);
            submit();
          }}
          onClose={() => setTried(null)}
        />
      )}
    </FormDialog>
  );
}

/** A line of words and choices. */
const Line = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '2', textStyle: 'sm' },
});

interface ScopeProps {
  form: PolicyForm;
  taken: readonly SlaPolicy[];
  own: SlaPolicy | null;
  onChange: (part: Partial<PolicyForm>) => void;
}

function ScopeLine({ form, taken, own, onChange }: ScopeProps) {
  const { t } = useTranslation('deadlines');
  const queues = useQuery(queuesQuery());
  const tags = useQuery(tagsQuery());
  const used = new Set(
    taken
      .filter(({ id }) => id !== own?.id)
      .map(
        ({ queueId, tagId, priority }) => priority ?? (tagId ? `tag ${tagId}` : `queue ${queueId}`),
      ),
  );
  const named = (scope: Scope, rows: readonly { id: number; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({
      value: String(id),
      label: name,
      disabled: used.has(`${scope} ${id}`),
    }));
  const subjects = {
    queue: named('queue', queues.data),
    tag: named('tag', tags.data),
    priority: PRIORITIES.map((value) => ({
      value,
      label: t(`priorities.${value}`),
      disabled: used.has(value),
    })),
  }[form.scope];
  return (
    <Line>
      {t('forTickets')}
      <chakra.span w={{ base: 'full', sm: '176px' }}>
        <Select
          aria-label={t('scopeLabel')}
          options={(['queue', 'tag', 'priority'] as const).map((value) => ({
            value,
            label: t(`scopes.${value}`),
          }))}
          value={form.scope}
          onChange={(event) => onChange({ scope: event.target.value as Scope, subject: '' })}
        />
      </chakra.span>
      <chakra.span w={{ base: 'full', sm: '224px' }}>
        <Select
          aria-label={t(`scopes.${form.scope}`)}
          placeholder={t('choose')}
          options={subjects}
          value={form.subject}
          onChange={(event) => onChange({ subject: event.target.value })}
        />
      </chakra.span>
    </Line>
  );
}

interface SpanProps {
  kind: SlaKind;
  form: PolicyForm;
  onChange: (span: PolicyForm['spans'][SlaKind]) => void;
}

function SpanLine({ kind, form, onChange }: SpanProps) {
  const { t } = useTranslation('deadlines');
  const span = form.spans[kind];
  const label = t(`kinds.${kind}`);
  return (
    <Line>
      <chakra.span w={{ base: 'full', sm: '176px' }} fontWeight="medium">
        {t(`spanLine.${kind}`)}
      </chakra.span>
      <TextInput
        w="84px"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        placeholder="–"
        aria-label={t('spanCount', { kind: label })}
        aria-invalid={Number.isNaN(minutesOf(span)) || undefined}
        value={span.count}
        onChange={(event) => onChange({ ...span, count: event.target.value })}
      />
      <chakra.span w="128px">
        <Select
          aria-label={t('spanUnit', { kind: label })}
          options={(['minutes', 'hours', 'days'] as const).map((value) => ({
            value,
            label: t(`units.${value}`),
          }))}
          value={span.unit}
          onChange={(event) => onChange({ ...span, unit: event.target.value as typeof span.unit })}
        />
      </chakra.span>
    </Line>
  );
}
