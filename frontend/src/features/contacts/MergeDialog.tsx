import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Combobox } from '@/components/Combobox';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { Skeleton } from '@/components/States';
import { formatCount, formatPhone, hasNumber } from '@/lib/format';
import { errorMessage, toast } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { contactSearchQuery, undoMerge, useMergeContacts } from './api';
import { pastTicketsQuery } from './drawer/api';
import type { Contact } from './types';

interface MergeDialogProps {
  /** The contact that remains. */
  contact: Contact;
  onClose: () => void;
}

const contactKey = ({ id }: Contact) => String(id);
const contactLabel = ({ name }: Contact) => name;

const calledOf = ({ number, username }: Contact) =>
  hasNumber(number) || !username ? formatPhone(number) : `@${username}`;

/** Merges two contacts, after showing what remains of each; can be undone. */
export function MergeDialog({ contact, onClose }: MergeDialogProps) {
  const { t } = useTranslation(['contacts', 'common']);
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [other, setOther] = useState<Contact | null>(null);
  const [isMissing, setMissing] = useState(false);
  const search = useDebounced(typed, SEARCH_DEBOUNCE_MS);
  const found = useQuery(contactSearchQuery(search));
  const merge = useMergeContacts(contact.id);

  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault();
    if (!other) {
      setMissing(true);
      return;
    }
    merge.mutate(other.id, {
      onSuccess: ({ merge: done }) => {
        onClose();
        const takeBack = () =>
          void undoMerge(client, done.id).then(
            () => toast.success(t('merge.undone', { name: other.name })),
            toast.error,
          );
        toast.undo(t('merge.done', { name: other.name }), t('merge.undo'), takeBack);
      },
    });
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('merge.title')}
      dirty={other !== null && !merge.isPending}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={merge.isPending}>
            {t('merge.submit')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field
          label={t('merge.other')}
          help={t('merge.help', { name: contact.name })}
          error={isMissing ? t('merge.required') : undefined}
          required
        >
          <Combobox
            items={(found.data?.contacts ?? []).filter(
              ({ id, isGroup }) => id !== contact.id && !isGroup,
            )}
            itemKey={contactKey}
            itemLabel={contactLabel}
            renderItem={(item) => (
              <chakra.span display="flex" flexDirection="column">
                <span>{item.name}</span>
                <chakra.span textStyle="xs" color="fg.muted">
                  {calledOf(item)}
                </chakra.span>
              </chakra.span>
            )}
            value={other}
            onChange={(chosen) => {
              setOther(chosen);
              setMissing(false);
              merge.reset();
            }}
            onSearch={setTyped}
            minCharacters={3}
            loading={typed !== search || found.isFetching}
            error={found.error && errorMessage(found.error)}
            disabled={merge.isPending}
            placeholder={t('merge.placeholder')}
          />
        </Field>
        {other && <Preview keep={contact} gone={other} />}
        {merge.error && (
          <chakra.div
            role="alert"
            display="flex"
            gap="2.5"
            p="3"
            borderRadius="md"
            textStyle="sm"
            bg="status.danger.subtle"
            color="status.danger.fg"
          >
            <chakra.span flexShrink="0" mt="0.5" aria-hidden>
              <CircleAlert size={16} />
            </chakra.span>
            {errorMessage(merge.error)}
          </chakra.div>
        )}
      </chakra.div>
    </Dialog>
  );
}

const Cell = chakra('td', {
  base: { px: '3', py: '2', verticalAlign: 'top', overflowWrap: 'anywhere', borderTopWidth: '1px' },
});
const Head = chakra('th', {
  base: {
    px: '3',
    py: '2',
    textAlign: 'start',
    verticalAlign: 'top',
    fontWeight: 'medium',
    color: 'fg.muted',
  },
});

/** The number of a contact's tickets; nothing if it cannot be loaded. */
function TicketCount({ contactId }: { contactId: number }) {
  const { t } = useTranslation('contacts');
  const { data, isPending } = useInfiniteQuery(pastTicketsQuery(contactId));
  if (isPending)
    return <Skeleton display="inline-block" h="3" w="8" aria-label={t('merge.counting')} />;
  return <>{data ? formatCount(data.pages[0]?.count ?? 0) : '—'}</>;
}

function Preview({ keep, gone }: { keep: Contact; gone: Contact }) {
  const { t } = useTranslation('contacts');
  const [numberStays, emailStays] = [hasNumber(keep.number), keep.email !== ''];
  const rows: { name: string; keep: ReactNode; gone: ReactNode; stays: boolean; also?: boolean }[] =
    [
      { name: t('columns.name'), keep: keep.name, gone: gone.name, stays: true },
      {
        name: t('columns.number'),
        keep: calledOf(keep),
        gone: calledOf(gone),
        stays: numberStays || !hasNumber(gone.number),
        also: numberStays && hasNumber(gone.number),
      },
      {
        name: t('columns.email'),
        keep: keep.email,
        gone: gone.email,
        stays: emailStays || !gone.email,
        also: emailStays && gone.email !== '' && gone.email !== keep.email,
      },
    ];
  const strong = (isStrong: boolean) =>
    isStrong ? { fontWeight: 'semibold' } : { color: 'fg.muted' };
  return (
    <chakra.section aria-label={t('merge.preview')} display="flex" flexDirection="column" gap="3">
      <chakra.table
        w="full"
        tableLayout="fixed"
        borderCollapse="separate"
        borderSpacing="0"
        borderWidth="1px"
        borderRadius="md"
        textStyle="sm"
        fontVariantNumeric="tabular-nums"
      >
        <thead>
          <tr>
            <Head scope="col" w={{ base: '36%', sm: '26%' }}>
              <chakra.span srOnly>{t('merge.field')}</chakra.span>
            </Head>
            <Head scope="col">{t('merge.stays')}</Head>
            <Head scope="col">{t('merge.goes')}</Head>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <Head scope="row" borderTopWidth="1px">
                {row.name}
              </Head>
              <Cell {...strong(row.stays)}>{row.keep || '—'}</Cell>
              <Cell {...strong(!row.stays)}>
                {row.gone || '—'}
                {row.also && (
                  <chakra.span display="block" textStyle="xs">
                    {t('merge.also')}
                  </chakra.span>
                )}
              </Cell>
            </tr>
          ))}
          <tr>
            <Head scope="row" borderTopWidth="1px">
              {t('merge.tickets')}
            </Head>
            <Cell>
              <TicketCount contactId={keep.id} />
            </Cell>
            <Cell>
              <TicketCount contactId={gone.id} />
            </Cell>
          </tr>
        </tbody>
      </chakra.table>
      <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {t('merge.text', { keep: keep.name, gone: gone.name })}
      </chakra.p>
    </chakra.section>
  );
}
