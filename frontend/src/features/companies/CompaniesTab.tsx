import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { DataTable, type Column } from '@/components/DataTable';
import { DeleteRecord, RecordForm } from '@/components/RecordForm';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { daysUntil, formatDay } from '@/lib/format';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useRecordForm } from '@/lib/useRecordForm';
import { companyPagesQuery, useDeleteCompany, useSaveCompany } from './api';
import { CompanyFields } from './CompanyFields';
import {
  companyFields,
  companySchema,
  companyValues,
  hasCampaigns,
  isSuperCompany,
  type CompanyForm,
} from './schemas';
import type { Company } from './types';

/** Empresas, of the super user's settings: a form above the table (rules/companies §1 and §8). */
export function CompaniesTab() {
  const { t } = useTranslation(['companies', 'common']);
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery({
    ...companyPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  const form = useForm<CompanyForm>({
    resolver: zodResolver(companySchema),
    defaultValues: companyValues(null),
  });
  const editor = useRecordForm<Company, CompanyForm>({
    form,
    valuesOf: companyValues,
    first: 'name',
  });
  const save = useSaveCompany();
  const remove = useDeleteCompany();
  const { stored } = editor;

  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields: companyFields(values, stored) });
      toast.success(t('common:record.done'));
      editor.show(null);
    } catch (error) {
      showRefusal(form, error, t('failed'));
    }
  });

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
          stored &&
          !isSuperCompany(stored) && (
            <DeleteRecord
              id={stored.id}
              name={stored.name}
              remove={remove}
              onDeleted={() => editor.show(null)}
            >
              {t('deleteText')}
            </DeleteRecord>
          )
        }
      >
        <CompanyFields form={form} stored={stored} />
      </RecordForm>
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.div maxW="360px">
          <SearchInput label={t('search')} value={search} onSearch={setSearch} />
        </chakra.div>
        <DataTable
          grows
          label={t('label')}
          columns={useColumns()}
          rows={list.data?.rows}
          query={list}
          onRowClick={editor.load}
          isCurrent={({ id }) => id === stored?.id}
          empty={
            <EmptyState
              icon={<Building2 size={20} />}
              title={search ? t('empty.search', { text: search }) : t('empty.title')}
            />
          }
          actions={(company) => (
            <RowActions
              name={company.name}
              editLabel={t('editOne', { name: company.name })}
              onEdit={() => editor.load(company)}
              deleteLabel=""
              onDelete={false}
            />
          )}
        />
      </chakra.div>
    </>
  );
}

function useColumns(): Column<Company>[] {
  const { t } = useTranslation('companies');
  return [
    {
      id: 'name',
      header: t('fields.name'),
      primary: true,
      width: '30%',
      cell: ({ name, email }) => (
        <>
          <chakra.span display="block" fontWeight="semibold" lineClamp="1" title={name}>
            {name}
          </chakra.span>
          {email && (
            <chakra.span
              hideBelow="900px"
              display="block"
              textStyle="xs"
              color="fg.muted"
              lineClamp="1"
              title={email}
            >
              {email}
            </chakra.span>
          )}
        </>
      ),
    },
    {
      id: 'phone',
      header: t('fields.phone'),
      cell: ({ phone }) => phone || <chakra.span color="fg.muted">–</chakra.span>,
    },
    { id: 'plan', header: t('fields.plan'), narrow: 'line', cell: ({ plan }) => plan.name },
    {
      id: 'campaigns',
      header: t('columns.campaigns'),
      cell: (company) => (hasCampaigns(company) ? t('yes') : t('no')),
    },
    {
      id: 'recurrence',
      header: t('fields.recurrence'),
      cell: ({ recurrence }) => t(`recurrence.${recurrence}`),
    },
    {
      id: 'dueDate',
      header: t('columns.dueDate'),
      narrow: 'line',
      cell: ({ dueDate }) => {
        const isOver = daysUntil(dueDate) < 0;
        return (
          <chakra.span
            fontVariantNumeric="tabular-nums"
            whiteSpace="nowrap"
            {...(isOver && { color: 'status.danger.fg', fontWeight: 'semibold' })}
          >
            {formatDay(dueDate)}
            {isOver && <chakra.span srOnly> {t('overdue')}</chakra.span>}
          </chakra.span>
        );
      },
    },
    {
      id: 'status',
      header: t('fields.status'),
      narrow: 'end',
      cell: ({ status }) => (
        <Badge tone={status ? 'live' : 'neutral'}>{status ? t('active') : t('inactive')}</Badge>
      ),
    },
  ];
}
