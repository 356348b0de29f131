import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Column } from '@/components/DataTable';
import { DeleteRecord, RecordForm } from '@/components/RecordForm';
import { RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { daysUntil, formatDay } from '@/lib/format';
import { useRecordForm } from '@/lib/useRecordForm';
import { useRecords } from '@/lib/useRecords';
import { companyPagesQuery, useDeleteCompany, useSaveCompany } from './api';
import { CompanyFields } from './CompanyFields';
import {
  companyFields,
  companySchema,
  companyValues,
  hasCampaigns,
  isSuperCompany,
} from './schemas';
import type { Company } from './types';

/** Empresas, of the super user's settings: a form above the table (rules/companies §1 and §8). */
export function CompaniesTab() {
  const { t } = useTranslation(['companies', 'common']);
  const records = useRecords(companyPagesQuery);
  const editor = useRecordForm({
    resolver: zodResolver(companySchema),
    valuesOf: companyValues,
    first: 'name',
    save: useSaveCompany(),
    fieldsOf: companyFields,
    failed: t('failed'),
  });
  const remove = useDeleteCompany();
  const { form, stored } = editor;

  return (
    <>
      <RecordForm
        title={stored ? t('editing', { name: stored.name }) : t('adding')}
        editor={editor}
        deletion={
          stored &&
          !isSuperCompany(stored) && (
            <DeleteRecord
              id={stored.id}
              name={stored.name}
              remove={remove}
              onDeleted={editor.clear}
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
          <SearchInput label={t('search')} {...records.searching} />
        </chakra.div>
        <RecordTable
          grows
          records={{ ...records, edit: editor.load }}
          label={t('label')}
          columns={useColumns()}
          isCurrent={({ id }) => id === stored?.id}
          empty={{
            icon: <Building2 size={20} />,
            title: t('empty.title'),
            search: t('empty.search', { text: records.search }),
          }}
          actions={({ name }) => ({ name, edit: t('editOne', { name }), remove: false })}
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
