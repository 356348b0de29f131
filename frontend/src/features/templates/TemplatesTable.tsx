import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { BookOpen, Copy, LayoutTemplate } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { RowName } from '@/components/Cells';
import { DataTable, type Column } from '@/components/DataTable';
import { ConfirmDialog } from '@/components/Dialog';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { connectionsQuery } from '@/features/connections/api';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { templatesQuery, useDeleteTemplate } from './api';
import { canBeCopied, canBeEdited } from './form';
import type { Template } from './types';

const TemplateEditor = lazy(() =>
  import('./TemplateEditor').then((file) => ({ default: file.TemplateEditor })),
);

const TemplateView = lazy(() =>
  import('./TemplateView').then((file) => ({ default: file.TemplateView })),
);

const Leading = chakra(Link);

const LibraryDialog = lazy(() =>
  import('./LibraryDialog').then((file) => ({ default: file.LibraryDialog })),
);

type Open =
  | { dialog: 'add' }
  | { dialog: 'library' }
  | { dialog: 'edit' | 'copy' | 'view' | 'delete'; row: Template };

const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED'];
const TONES = {
  APPROVED: 'live',
  PENDING: 'waiting',
  IN_APPEAL: 'waiting',
  PAUSED: 'waiting',
  REJECTED: 'danger',
  DISABLED: 'danger',
} as const;
const QUALITIES = { GREEN: 'live', YELLOW: 'waiting', RED: 'danger' } as const;

const toneOf = <Tone extends string>(tones: Readonly<Record<string, Tone>>, key: string) =>
  tones[key] ?? 'neutral';

const FILTERS = ['search', 'status', 'category', 'language', 'connection'] as const;
type Filters = Record<(typeof FILTERS)[number], string>;

/** The filters in the URL; '' means any. */
function useFilters() {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, params.get(name) ?? '']),
  ) as Filters;
  const change = (part: Partial<Filters>) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(part)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return { ...filters, change };
}

/** The templates of a number's account, with their status at Meta. */
export function TemplatesTable() {
  const { t } = useTranslation(['templatesPage', 'templates', 'common']);
  const { search, status, category, language, connection: chosenId, change } = useFilters();
  const [open, setOpen] = useState<Open | null>(null);
  const connections = useQuery(connectionsQuery());
  const official = (connections.data ?? []).filter(({ capabilities }) => capabilities.templates);
  const connection =
    official.find(({ id }) => String(id) === chosenId) ??
    official.find(({ isDefault }) => isDefault) ??
    official[0];
  const connectionId = connection?.id ?? 0;
  const list = useQuery({ ...templatesQuery(connectionId), enabled: connectionId > 0 });
  const close = () => setOpen(null);
  const add = connection && (
    <AddButton label={t('add')} onClick={() => setOpen({ dialog: 'add' })} />
  );

  const all = list.data ?? [];
  const languages = [
    ...new Set([...all.map((row) => row.language), ...(language ? [language] : [])]),
  ].sort();
  const nameOf = (code: string) => t(`templates:languages.${code}`, { defaultValue: code });
  const statusOf = (code: string) =>
    t(`status.${code}`, { defaultValue: t('templates:status.other') });
  const wanted = search.trim().toLowerCase();
  const rows = all.filter(
    (row) =>
      (!wanted || `${row.name} ${JSON.stringify(row.components)}`.toLowerCase().includes(wanted)) &&
      (!status || row.status === status) &&
      (!category || row.category === category) &&
      (!language || row.language === language),
  );
  const isNarrowed = Boolean(wanted || status || category || language);

  const columns: Column<Template>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: (row) => <RowName>{row.name}</RowName>,
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'line',
      cell: (row) => (
        <chakra.span display="inline-flex" flexDirection="column" alignItems="flex-start" gap="0.5">
          <Badge tone={toneOf(TONES, row.status)}>{statusOf(row.status)}</Badge>
          {row.rejectedReason && (
            <chakra.span
              // A narrow row has no room for the reason; the opened template shows it.
              display={{ base: 'none', md: 'block' }}
              textStyle="xs"
              color="status.danger.fg"
            >
              {t(`rejected.${row.rejectedReason}`, { defaultValue: row.rejectedReason })}
            </chakra.span>
          )}
        </chakra.span>
      ),
    },
    {
      id: 'category',
      header: t('columns.category'),
      cell: (row) => t(`templates:category.${row.category}`, { defaultValue: row.category }),
    },
    {
      id: 'language',
      header: t('columns.language'),
      narrow: 'line',
      cell: (row) => nameOf(row.language),
    },
    {
      id: 'quality',
      header: t('columns.quality'),
      cell: (row) =>
        row.quality ? (
          <Badge tone={toneOf(QUALITIES, row.quality)}>
            {t(`quality.${row.quality}`, { defaultValue: row.quality })}
          </Badge>
        ) : (
          <chakra.span color="fg.muted">{t('quality.none')}</chakra.span>
        ),
    },
  ];

  if (connections.isSuccess && !connection)
    return (
      <Page>
        <EmptyState
          icon={<LayoutTemplate size={20} />}
          title={t('noNumber.title')}
          text={t('noNumber.text')}
          action={
            <Leading
              to={paths.connections}
              textStyle="sm"
              color="brand.fg"
              textDecoration="underline"
            >
              {t('noNumber.action')}
            </Leading>
          }
        />
      </Page>
    );

  return (
    <Page
      tools={
        <SearchInput
          label={t('search')}
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      }
      {...(add && { action: add })}
    >
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {official.length > 1 && (
          <Filter
            label={t('filters.connection')}
            value={String(connectionId)}
            onChange={(value) => change({ connection: value, language: '' })}
            options={official.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        )}
        <Filter
          label={t('filters.status')}
          placeholder={t('filters.allStatuses')}
          value={status}
          onChange={(value) => change({ status: value })}
          options={STATUSES.map((value) => ({ value, label: statusOf(value) }))}
        />
        <Filter
          label={t('filters.category')}
          placeholder={t('filters.allCategories')}
          value={category}
          onChange={(value) => change({ category: value })}
          options={['UTILITY', 'MARKETING', 'AUTHENTICATION'].map((value) => ({
            value,
            label: t(`templates:category.${value}`),
          }))}
        />
        {(languages.length > 1 || language !== '') && (
          <Filter
            label={t('filters.language')}
            placeholder={t('templates:allLanguages')}
            value={language}
            onChange={(value) => change({ language: value })}
            options={languages.map((value) => ({ value, label: nameOf(value) }))}
          />
        )}
        {connection && (
          <Button
            variant="outline"
            size="sm"
            ms={{ sm: 'auto' }}
            icon={<BookOpen size={16} />}
            onClick={() => setOpen({ dialog: 'library' })}
          >
            {t('library')}
          </Button>
        )}
      </chakra.div>
      <DataTable
        label={t('templates:list')}
        columns={columns}
        rows={list.data && rows}
        query={connections.error && !connection ? connections : list}
        onRowClick={(row) => {
          if (canBeEdited(row)) setOpen({ dialog: 'edit', row });
          else setOpen({ dialog: canBeCopied(row) ? 'copy' : 'view', row });
        }}
        empty={
          <EmptyState
            icon={<LayoutTemplate size={20} />}
            title={isNarrowed ? t('templates:none.title') : t('templates:empty.title')}
            {...(isNarrowed
              ? { text: t('templates:none.text') }
              : { text: t('emptyText'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            more={
              canBeCopied(row)
                ? [
                    {
                      id: 'copy',
                      label: t('copyRow', { name: row.name }),
                      icon: <Copy size={16} />,
                      onSelect: () => setOpen({ dialog: 'copy', row }),
                    },
                  ]
                : []
            }
            editLabel={t('editRow', { name: row.name })}
            onEdit={canBeEdited(row) && (() => setOpen({ dialog: 'edit', row }))}
            deleteLabel={t('deleteRow', { name: row.name })}
            onDelete={Boolean(row.id) && (() => setOpen({ dialog: 'delete', row }))}
          />
        )}
      />
      <Suspense>
        {open?.dialog === 'library' && (
          <LibraryDialog connectionId={connectionId} onClose={close} />
        )}
        {open?.dialog === 'view' && <TemplateView template={open.row} onClose={close} />}
        {open && (open.dialog === 'add' || open.dialog === 'edit' || open.dialog === 'copy') && (
          <TemplateEditor
            connectionId={connectionId}
            {...(open.dialog !== 'add' && { template: open.row })}
            isNew={open.dialog !== 'edit'}
            onClose={close}
          />
        )}
      </Suspense>
      {open?.dialog === 'delete' && (
        <DeleteTemplate connectionId={connectionId} row={open.row} onClose={close} />
      )}
    </Page>
  );
}

interface FilterProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string }[];
}

function Filter({ label, onChange, ...props }: FilterProps) {
  return (
    <chakra.div w={{ base: 'calc(50% - 4px)', sm: '190px' }}>
      <Select
        size="sm"
        aria-label={label}
        {...props}
        onChange={(event) => onChange(event.target.value)}
      />
    </chakra.div>
  );
}

interface DeleteProps {
  connectionId: number;
  row: Template;
  onClose: () => void;
}

function DeleteTemplate({ connectionId, row, onClose }: DeleteProps) {
  const { t } = useTranslation(['templatesPage', 'templates', 'common']);
  const remove = useDeleteTemplate(connectionId);
  const language = t(`templates:languages.${row.language}`, { defaultValue: row.language });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('delete.title', { name: row.name })}
      confirmLabel={t('common:actions.delete')}
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(row.id, {
          onSuccess: () => toast.success(t('deleted')),
          onError: toast.error,
          onSettled: onClose,
        })
      }
    >
      {t('delete.text', { language })}
    </ConfirmDialog>
  );
}
