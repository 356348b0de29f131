import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Select, type Option } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { tagsQuery } from '@/features/tags/api';
import { userOptionsQuery } from '@/features/users/api';
import type { StepForm } from './form';
import { PRIORITIES, type SlaKind } from './types';

interface StepLineProps {
  number: number;
  step: StepForm;
  /** The kinds that have a time. */
  kinds: readonly SlaKind[];
  onChange: (part: Partial<StepForm>) => void;
  onRemove: () => void;
}

const WHENS = ['quarter', 'due', 'after'] as const;
const ACTIONS = ['tell', 'tag', 'priority', 'queue', 'assign'] as const;

/** A step as a sentence: when, of which time, what, and whom or what. */
export function StepLine({ number, step, kinds, onChange, onRemove }: StepLineProps) {
  const { t } = useTranslation('deadlines');
  const subjects = useSubjects(step.action);
  const label = (name: string) => t('steps.label', { number, name: t(`steps.${name}`) });
  return (
    <chakra.div
      role="group"
      aria-label={t('steps.number', { number })}
      display="flex"
      alignItems="flex-start"
      gap="2"
      p="3"
      borderWidth="1px"
      borderRadius="md"
    >
      <chakra.div
        flex="1"
        minW="0"
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        gap="2"
        textStyle="sm"
      >
        <Choice
          label={label('when')}
          options={WHENS.map((value) => ({ value, label: t(`steps.whens.${value}`) }))}
          value={step.when}
          onChange={(when) => onChange({ when: when as StepForm['when'] })}
        />
        {step.when === 'after' && (
          <TextInput
            size="sm"
            w="84px"
            inputMode="numeric"
            autoComplete="off"
            maxLength={5}
            aria-label={label('minutes')}
            value={step.minutes}
            onChange={(event) => onChange({ minutes: event.target.value })}
          />
        )}
        <chakra.span>{t(`steps.of.${step.when}`)}</chakra.span>
        <Choice
          label={label('kind')}
          options={[...new Set([...kinds, step.kind])].map((value) => ({
            value,
            label: t(`kinds.${value}`),
          }))}
          value={step.kind}
          onChange={(kind) => onChange({ kind: kind as SlaKind })}
        />
        <Choice
          label={label('action')}
          options={ACTIONS.map((value) => ({ value, label: t(`steps.actions.${value}`) }))}
          value={step.action}
          onChange={(action) =>
            onChange({
              action: action as StepForm['action'],
              subject: action === 'tell' ? 'holder' : '',
            })
          }
        />
        <Choice
          label={label('subject')}
          // Without a person it goes back to its queue.
          {...(step.action !== 'assign' && { placeholder: t('choose') })}
          options={subjects}
          value={step.subject}
          onChange={(subject) => onChange({ subject })}
        />
      </chakra.div>
      <IconButton
        size="sm"
        icon={<Trash2 size={16} />}
        label={t('steps.remove', { number })}
        onClick={onRemove}
      />
    </chakra.div>
  );
}

/** What an action may be done with. */
function useSubjects(action: StepForm['action']): Option[] {
  const { t } = useTranslation('deadlines');
  const queues = useQuery({ ...queuesQuery(), enabled: action === 'queue' });
  const tags = useQuery({ ...tagsQuery(), enabled: action === 'tag' });
  const users = useQuery({ ...userOptionsQuery(), enabled: action === 'assign' });
  const named = (rows: readonly { id: number; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  switch (action) {
    case 'tell':
      return (['holder', 'supervisors'] as const).map((value) => ({
        value,
        label: t(`steps.tells.${value}`),
      }));
    case 'tag':
      return named(tags.data);
    case 'priority':
      return PRIORITIES.filter((value) => value !== 'low').map((value) => ({
        value,
        label: t(`priorities.${value}`),
      }));
    case 'queue':
      return named(queues.data);
    default:
      return [{ value: '', label: t('steps.back') }, ...named(users.data)];
  }
}

interface ChoiceProps {
  label: string;
  options: readonly Option[];
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

function Choice({ label, options, value, onChange, ...props }: ChoiceProps) {
  return (
    <chakra.span w={{ base: 'full', sm: 'auto' }} maxW="full">
      <Select
        size="sm"
        aria-label={label}
        options={options}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...props}
      />
    </chakra.span>
  );
}
