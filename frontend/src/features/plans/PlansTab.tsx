import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Check, CreditCard, Minus } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { DataTable, type Column } from '@/components/DataTable';
import { DeleteRecord, RecordForm } from '@/components/RecordForm';
import { RowActions } from '@/components/RowActions';
import { EmptyState } from '@/components/States';
import { formatCount, inReais } from '@/lib/format';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useRecordForm } from '@/lib/useRecordForm';
import { plansQuery, useDeletePlan, useSavePlan } from './api';
import { PlanFields } from './PlanFields';
import { LIMITS, planFields, planSchema, planValues, type PlanForm } from './schemas';
import type { Plan } from './types';

/** Planos, of the super user's settings: a form above the table (rules/companies §3 and §8). */
export function PlansTab() {
  const { t } = useTranslation(['plans', 'common']);
  const list = useQuery(plansQuery());
  const form = useForm<PlanForm>({
    resolver: zodResolver(planSchema),
    defaultValues: planValues(null),
  });
  const editor = useRecordForm<Plan, PlanForm>({ form, valuesOf: planValues, first: 'name' });
  const save = useSavePlan();
  const remove = useDeletePlan();
  const { stored } = editor;

  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields: planFields(values) });
      toast.success(t('common:record.done'));
      editor.show(null);
    } catch (error) {
      showRefusal(form, error, t('failed'));
    }
  });

  const columns: Column<Plan>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      width: '26%',
      cell: ({ name }) => (
        <chakra.span fontWeight="semibold" lineClamp="2" title={name}>
          {name}
        </chakra.span>
      ),
    },
    ...LIMITS.map((limit): Column<Plan> => ({
      id: limit,
      header: t(`columns.${limit}`),
      numeric: true,
      cell: (plan) =>
        plan[limit] === 0 ? (
          <chakra.span color="fg.muted">{t('noLimit')}</chakra.span>
        ) : (
          formatCount(plan[limit])
        ),
    })),
    {
      id: 'value',
      header: t('columns.value'),
      numeric: true,
      narrow: 'line',
      cell: ({ value }) => <chakra.span whiteSpace="nowrap">{inReais(value)}</chakra.span>,
    },
    {
      id: 'isPublic',
      header: t('columns.isPublic'),
      narrow: 'end',
      cell: ({ isPublic }) => (
        <Badge tone={isPublic ? 'live' : 'neutral'} gap="1">
          {isPublic ? <Check size={12} aria-hidden /> : <Minus size={12} aria-hidden />}
          {isPublic ? t('public') : t('internal')}
        </Badge>
      ),
    },
  ];

  return (
    <>
      <RecordForm
        title={stored ? t('editing', { name: stored.name }) : t('adding')}
        busy={save.isPending}
        onSubmit={() => void submit()}
        onClear={() => editor.load(null)}
        asking={editor.asking}
        onAnswer={editor.answer}
        deletion={
          stored && (
            <DeleteRecord
              id={stored.id}
              name={stored.name}
              remove={remove}
              onDeleted={() => editor.show(null)}
            />
          )
        }
      >
        <PlanFields form={form} />
      </RecordForm>
      <DataTable
        grows
        label={t('label')}
        columns={columns}
        rows={list.data}
        query={list}
        onRowClick={editor.load}
        isCurrent={({ id }) => id === stored?.id}
        empty={<EmptyState icon={<CreditCard size={20} />} title={t('empty')} />}
        actions={(plan) => (
          <RowActions
            name={plan.name}
            editLabel={t('editOne', { name: plan.name })}
            onEdit={() => editor.load(plan)}
            deleteLabel=""
            onDelete={false}
          />
        )}
      />
    </>
  );
}
