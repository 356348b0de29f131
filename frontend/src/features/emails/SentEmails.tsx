import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Eye, Mail, RotateCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '@/components/Button';
import { DateTime } from '@/components/Cells';
import { DataTable, type Column } from '@/components/DataTable';
import { IconButton } from '@/components/IconButton';
import { Page } from '@/components/Page';
import { Pager } from '@/components/Pager';
import { EmptyState } from '@/components/States';
import { toast } from '@/lib/toast';
import { emailsQuery, PAGE_SIZE, useResendEmail } from './api';
import { EmailTabs } from './EmailTabs';
import { previewOf } from './preview';
import { StatusBadge } from './status';
import type { Email } from './types';

const EmailDialog = lazy(() =>
  import('./EmailDialog').then((file) => ({ default: file.EmailDialog })),
);

/** The page number from the address; 1 if there is none. */
function pageIn(search: URLSearchParams) {
  const number = Number(search.get('page'));
  return Number.isInteger(number) && number > 0 ? number : 1;
}

/** The list of sent e-mails (rules/emails §4). */
export function SentEmails() {
  const { t } = useTranslation('emails');
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const number = pageIn(search);
  const page = useQuery({ ...emailsQuery(number), placeholderData: keepPreviousData });
  const [openId, setOpenId] = useState<number | null>(null);
  const resend = useResendEmail();
  const last = Math.max(1, Math.ceil((page.data?.count ?? 0) / PAGE_SIZE));
  const open = page.data?.emails.find(({ id }) => id === openId);
  const retry = (id: number) =>
    resend.mutate(id, {
      onSuccess: () => toast.success(t('resent')),
      onError: (error) => toast.error(error),
    });

  const columns: Column<Email>[] = [
    {
      id: 'recipient',
      header: t('columns.recipient'),
      primary: true,
      width: '22%',
      cell: ({ sender }) => <chakra.span fontWeight="semibold">{sender}</chakra.span>,
    },
    {
      id: 'subject',
      header: t('columns.subject'),
      narrow: 'line',
      width: '22%',
      cell: ({ subject }) => (
        <chakra.span lineClamp="2" title={subject}>
          {subject}
        </chakra.span>
      ),
    },
    {
      id: 'message',
      header: t('columns.message'),
      cell: ({ message }) => <chakra.span color="fg.muted">{previewOf(message)}</chakra.span>,
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'end',
      width: '1px',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'when',
      header: t('columns.when'),
      width: '150px',
      cell: ({ createdAt }) => <DateTime at={createdAt} />,
    },
  ];

  return (
    <Page>
      <EmailTabs current="sent" />
      <DataTable
        label={t('label')}
        columns={columns}
        rows={page.data?.emails}
        query={page}
        onRowClick={({ id }) => setOpenId(id)}
        actions={({ id, sender, status }) => (
          <>
            {status === 'failed' && (
              <IconButton
                label={t('resendOne', { recipient: sender })}
                icon={<RotateCw size={16} />}
                loading={resend.isPending && resend.variables === id}
                onClick={() => retry(id)}
              />
            )}
            <IconButton
              label={t('open', { recipient: sender })}
              icon={<Eye size={16} />}
              onClick={() => setOpenId(id)}
            />
          </>
        )}
        empty={
          <EmptyState
            icon={<Mail size={20} />}
            title={t('empty.title')}
            text={t('empty.text')}
            action={<Button onClick={() => void navigate('/Email')}>{t('empty.action')}</Button>}
          />
        }
      />
      <Pager
        current={number}
        last={last}
        onPage={(next) => setSearch(next === 1 ? {} : { page: String(next) })}
      />
      <Suspense fallback={null}>
        {open && <EmailDialog email={open} onClose={() => setOpenId(null)} />}
      </Suspense>
    </Page>
  );
}
