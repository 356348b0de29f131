import { chakra, useBreakpointValue } from '@chakra-ui/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ExternalLink, LayoutTemplate, SendHorizontal } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { Dialog } from '@/components/Dialog';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { refreshedTemplates, templatesQuery } from '@/features/templates/api';
import type { Ticket } from '@/features/tickets/api';
import { hasNumber } from '@/lib/format';
import { can } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { keyOf, type TemplateFilter } from '@/lib/templates/filling';
import { storeMessages } from '../cache';
import type { Message } from '../types';
import { TemplateFields } from './TemplateFields';
import { TemplateList } from './TemplateList';
import { TemplatePreview } from './TemplatePreview';
import { useTemplateForm } from './useTemplateForm';

const Leading = chakra(Link);
const MANAGER = 'https://business.facebook.com/latest/whatsapp_manager/message_templates';
const FORM = 'template-form';

interface TemplateDialogProps {
  ticket: Ticket;
  /** What the user wanted to write, to copy from. */
  text?: string;
  onClose: () => void;
  /** Called after the server accepted it; the dialog closes itself. */
  onSent: (message: Message) => void;
}

/** Chooses an approved template, fills it in, previews it and sends it. */
export function TemplateDialog({ ticket, text = '', onClose, onSent }: TemplateDialogProps) {
  const { t } = useTranslation('templates');
  const client = useQueryClient();
  // Side by side if there is room, else one step after another.
  const isWide = useBreakpointValue({ base: false, md: true }, { ssr: false }) ?? true;
  const fields = useRef<HTMLFormElement>(null);
  const [filter, setFilter] = useState<TemplateFilter>({ search: '', category: '', language: '' });
  const state = useTemplateForm(ticket, (message) => {
    storeMessages(client, ticket.id, [message]);
    onSent(message);
    onClose();
  });
  const { chosen, preview } = state;
  const chosenKey = chosen && keyOf(chosen);
  useEffect(() => {
    if (!chosenKey) return;
    fields.current
      ?.querySelector<HTMLElement>('input:not([hidden]), button')
      ?.focus({ preventScroll: true });
  }, [chosenKey]);

  const showsForm = chosen !== null;
  const list = <List ticket={ticket} state={state} filter={filter} onFilter={setFilter} />;
  const form = chosen && (
    <chakra.form
      id={FORM}
      ref={fields}
      noValidate
      aria-label={t('fields')}
      onSubmit={(event) => void state.submit(event)}
      display="flex"
      flexDirection="column"
      gap="4"
      p="5"
      minH={{ md: '0' }}
      flexShrink={{ base: '0', md: '1' }}
      overflowY={{ md: 'auto' }}
    >
      <chakra.h3 textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
        {chosen.name}
      </chakra.h3>
      {text && <WantedText text={text} />}
      <TemplateFields
        slots={state.slots}
        media={state.media}
        header={state.header}
        form={state.form}
      />
    </chakra.form>
  );

  const footer = (
    <>
      {state.failure && (
        <chakra.p role="alert" flex="1" textStyle="sm" color="status.danger.fg">
          {state.failure}
        </chakra.p>
      )}
      {!isWide && (
        <Button variant="outline" icon={<ArrowLeft size={16} />} onClick={() => state.choose(null)}>
          {t('back')}
        </Button>
      )}
      <Button
        type="submit"
        form={FORM}
        icon={<SendHorizontal size={16} />}
        disabled={!showsForm}
        loading={state.sending}
      >
        {t('send')}
      </Button>
    </>
  );

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('title', { name: ticket.contact.name })}
      size="xl"
      dirty={state.dirty}
      footer={(isWide || showsForm) && footer}
    >
      {isWide ? (
        <chakra.div
          display="grid"
          gridTemplateColumns="336px minmax(0, 1fr) 368px"
          h="min(600px, calc(100vh - 220px))"
          mx="-6"
          mb="-6"
          borderTopWidth="1px"
          borderColor="border.subtle"
        >
          <Pane line>{list}</Pane>
          {form && preview ? (
            <>
              <Pane line>{form}</Pane>
              <TemplatePreview template={preview} />
            </>
          ) : (
            <chakra.div
              gridColumn="span 2"
              display="flex"
              alignItems="center"
              justifyContent="center"
              bg="bg.thread"
            >
              <EmptyState icon={<LayoutTemplate size={20} />} title={t('choose')} />
            </chakra.div>
          )}
        </chakra.div>
      ) : (
        <chakra.div mx="-6" mb="-6" display="flex" flexDirection="column" h="calc(100% + 24px)">
          {form && preview ? (
            <>
              {form}
              <chakra.div px="5" pb="5" flexShrink="0">
                <TemplatePreview template={preview} />
              </chakra.div>
            </>
          ) : (
            list
          )}
        </chakra.div>
      )}
    </Dialog>
  );
}

/** The text that could not be sent, beside the fields into which its parts go. */
function WantedText({ text }: { text: string }) {
  const { t } = useTranslation('templates');
  return (
    <chakra.section aria-label={t('wanted')} display="flex" flexDirection="column" gap="1">
      <chakra.h4 textStyle="xs" fontWeight="medium" color="fg.muted">
        {t('wanted')}
      </chakra.h4>
      <CopyLine text={text} label={t('copyWanted')} block wrap />
    </chakra.section>
  );
}

function Pane({ line, children }: { line?: boolean; children: ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      minH="0"
      minW="0"
      overflow="hidden"
      {...(line && { borderEndWidth: '1px', borderColor: 'border.subtle' })}
    >
      {children}
    </chakra.div>
  );
}

interface ListProps {
  ticket: Ticket;
  state: ReturnType<typeof useTemplateForm>;
  filter: TemplateFilter;
  onFilter: (filter: TemplateFilter) => void;
}

/** The list of templates in its four states. */
function List({ ticket, state, filter, onFilter }: ListProps) {
  const { t } = useTranslation('templates');
  const client = useQueryClient();
  const isAdmin = can(useCurrentUser(), 'drawer-admin-items:view');
  const connectionId = ticket.whatsappId ?? 0;
  const options = templatesQuery(connectionId);
  const query = useQuery(options);
  const refresh = useMutation({
    mutationFn: () => refreshedTemplates(connectionId),
    onSuccess: (templates) => {
      client.setQueryData(options.queryKey, templates);
      toast.success(t('refreshed'));
    },
    onError: (error) => toast.error(error),
  });
  if (query.data && query.data.length > 0) {
    return (
      <TemplateList
        templates={query.data}
        withoutNumber={!hasNumber(ticket.contact.number)}
        filter={filter}
        onFilter={onFilter}
        chosenKey={state.chosen && keyOf(state.chosen)}
        onChoose={state.choose}
        refreshing={refresh.isPending}
        onRefresh={() => refresh.mutate()}
      />
    );
  }
  if (query.isPending) return <SkeletonRows rows={6} />;
  if (query.error) {
    return (
      <ErrorState
        title={t('loadFailed')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <EmptyState
      icon={<LayoutTemplate size={20} />}
      title={t('empty.title')}
      text={t(isAdmin ? 'empty.textAdmin' : 'empty.text')}
      action={
        <chakra.div display="flex" flexDirection="column" alignItems="center" gap="2">
          <Button
            variant="outline"
            size="sm"
            loading={refresh.isPending}
            onClick={() => refresh.mutate()}
          >
            {t('refresh')}
          </Button>
          {isAdmin && (
            <Leading
              to={`${paths.templates}?connection=${connectionId}`}
              textStyle="sm"
              color="brand.fg"
              textDecoration="underline"
            >
              {t('empty.create')}
            </Leading>
          )}
          <chakra.a
            href={MANAGER}
            target="_blank"
            rel="noopener noreferrer"
            display="inline-flex"
            alignItems="center"
            gap="1.5"
            textStyle="sm"
            color="brand.fg"
            textDecoration="underline"
          >
            {t('empty.link')}
            <ExternalLink size={14} aria-hidden />
          </chakra.a>
        </chakra.div>
      }
    />
  );
}
