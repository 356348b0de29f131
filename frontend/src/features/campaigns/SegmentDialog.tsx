import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { DateField } from '@/components/DateField';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { queuesQuery } from '@/features/queues/api';
import { tagsQuery } from '@/features/tags/api';
import { isDay } from '@/lib/dates';
import { formatCount } from '@/lib/format';
import { showRefusal } from '@/lib/forms';
import { errorMessage, toast } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { useErrorText } from '@/lib/useErrorText';
import { segmentCountQuery, useSaveSegment } from './api';
import { segmentSchema } from './schemas';
import type { Segment, SegmentRules } from './types';

const COUNT_MS = 400;

const NO_RULES: SegmentRules = {
  tagIds: [],
  queueIds: [],
  lastContactFrom: null,
  lastContactTo: null,
  city: '',
  fieldName: '',
  fieldValue: '',
};

interface SegmentDialogProps {
  /** The segment to edit; without it a new one is created. */
  segment?: Segment;
  onClose: () => void;
}

/**
 * Edits the rules of a segment, all of which a contact must match; shows the number of matches
 * while the user types.
 */
export function SegmentDialog({ segment, onClose }: SegmentDialogProps) {
  const { t } = useTranslation(['campaigns', 'common']);
  const errorText = useErrorText();
  const form = useForm<{ name: string }>({
    resolver: zodResolver(segmentSchema),
    defaultValues: { name: segment?.name ?? '' },
  });
  const { errors, isDirty } = form.formState;
  const [rules, setRules] = useState<SegmentRules>(segment?.rules ?? NO_RULES);
  const [isChanged, setChanged] = useState(false);
  const tags = useQuery(tagsQuery());
  const queues = useQuery(queuesQuery());
  const save = useSaveSegment(segment?.id);
  const change = (changes: Partial<SegmentRules>) => {
    setRules((before) => ({ ...before, ...changes }));
    setChanged(true);
  };
  const wrongDay = (day: string | null) => day !== null && day !== '' && !isDay(day);
  const isWrong = wrongDay(rules.lastContactFrom) || wrongDay(rules.lastContactTo);
  const submit = form.handleSubmit(async ({ name }) => {
    if (isWrong) return;
    try {
      await save.mutateAsync({ name, rules });
      toast.success(t('segments.saved'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    }
  });
  const day = (name: 'lastContactFrom' | 'lastContactTo') => (
    <Field
      label={t(`segments.${name}`)}
      error={wrongDay(rules[name]) ? t('common:date.impossible') : undefined}
    >
      <DateField
        value={rules[name] ?? ''}
        onChange={(value) => change({ [name]: value || null })}
      />
    </Field>
  );
  return (
    <FormDialog
      size="md"
      onClose={onClose}
      dirty={(isDirty || isChanged) && !save.isSuccess}
      title={t(segment ? 'segments.edit' : 'segments.add')}
      onSubmit={submit}
      beside={!isWrong && <Count rules={rules} />}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.name')} required error={errorText(errors.name?.message)}>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <chakra.p textStyle="xs" color="fg.muted" mt="-2">
          {t('segments.help')}
        </chakra.p>
        <Field label={t('segments.tags')}>
          <CheckList
            options={tags.data}
            error={tags.error && errorMessage(tags.error)}
            value={rules.tagIds}
            onChange={(tagIds) => change({ tagIds })}
            empty={t('segments.noTags')}
          />
        </Field>
        <Field label={t('segments.queues')}>
          <CheckList
            options={queues.data}
            error={queues.error && errorMessage(queues.error)}
            value={rules.queueIds}
            onChange={(queueIds) => change({ queueIds })}
            empty={t('segments.noQueues')}
          />
        </Field>
        <chakra.div
          display="grid"
          gap="4"
          gridTemplateColumns={{ base: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
        >
          {day('lastContactFrom')}
          {day('lastContactTo')}
          <Field label={t('segments.city')}>
            <TextInput
              autoComplete="off"
              value={rules.city}
              onChange={(event) => change({ city: event.target.value })}
            />
          </Field>
          <chakra.span display={{ base: 'none', sm: 'block' }} />
          <Field label={t('segments.fieldName')}>
            <TextInput
              autoComplete="off"
              placeholder={t('segments.fieldNamePlaceholder')}
              value={rules.fieldName}
              onChange={(event) => change({ fieldName: event.target.value })}
            />
          </Field>
          <Field label={t('segments.fieldValue')}>
            <TextInput
              autoComplete="off"
              value={rules.fieldValue}
              onChange={(event) => change({ fieldValue: event.target.value })}
            />
          </Field>
        </chakra.div>
      </chakra.div>
    </FormDialog>
  );
}

/** The number of matching contacts, shortly after each change. */
function Count({ rules }: { rules: SegmentRules }) {
  const { t } = useTranslation('campaigns');
  const count = useQuery(segmentCountQuery(useDebounced(rules, COUNT_MS)));
  return (
    <chakra.p role="status" flex="1" minW="full" textStyle="sm" css={{ sm: { minW: '0' } }}>
      {count.data
        ? t('segments.count', { count: count.data.count, shown: formatCount(count.data.count) })
        : count.error
          ? errorMessage(count.error)
          : t('segments.counting')}
    </chakra.p>
  );
}
