import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Check, CreditCard, Minus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Column } from '@/components/DataTable';
import { DeleteRecord, RecordForm } from '@/components/RecordForm';
import { RecordTable } from '@/components/RecordTable';
import { formatCount, inReais } from '@/lib/format';
import { useRecordForm } from '@/lib/useRecordForm';
import { plansQuery, useDeletePlan, useSavePlan } from './api';
import { PlanFields } from './PlanFields';
import { LIMITS, planFields, planSchema, planValues } from './schemas';
import type { Plan } from './types';

/**
 * The super user's tab 'Planos' in the settings: a form above the table
 * (rules/companies §3 and §8).
 */
export function PlansTab() {
  const { t } = useTranslation(['plans', 'common']);
  const list = useQuery(plansQuery());
  const editor = useRecordForm({
    resolver: zodResolver(planSchema),
    valuesOf: planValues,
    first: 'name',
    save: useSavePlan(),
    fieldsOf: planFields,
    failed: t('failed'),
  });
  const remove = useDeletePlan();
  const { form, stored } = editor;

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
        editor={editor}
        deletion={
          stored && (
            <DeleteRecord
              id={stored.id}
              name={stored.name}
              remove={remove}
              onDeleted={editor.clear}
            />
          )
        }
      >
        <PlanFields form={form} />
      </RecordForm>
      <RecordTable
        grows
        records={{ rows: list.data, query: list, edit: editor.load }}
        label={t('label')}
        columns={columns}
        isCurrent={({ id }) => id === stored?.id}
        empty={{ icon: <CreditCard size={20} />, title: t('empty') }}
        actions={({ name }) => ({ name, edit: t('editOne', { name }), remove: false })}
      />
    </>
  );
}
