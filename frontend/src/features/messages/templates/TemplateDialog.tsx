import { chakra } from '@chakra-ui/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink, LayoutTemplate } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { refreshedTemplates, templatesQuery } from '@/features/templates/api';
import type { Ticket } from '@/features/tickets/api';
import { hasNumber } from '@/lib/format';
import { opens } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { keyOf, type TemplateFilter } from '@/lib/templates/filling';
import { storeMessages } from '../cache';
import { ComposeDialog, ComposeForm } from '../ComposeDialog';
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
  /** From `useAlone`. */
  whenAlone: (run: () => void) => void;
  onClose: () => void;
  /** Called after the server accepted it; the dialog closes itself. */
  onSent: (message: Message) => void;
}

/** Chooses an approved template, fills it in, previews it and sends it. */
export function TemplateDialog(props: TemplateDialogProps) {
  const { ticket, text = '', whenAlone, onClose, onSent } = props;
  const { t } = useTranslation('templates');
  const client = useQueryClient();
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

  const form = chosen && (
    <ComposeForm
      ref={fields}
      id={FORM}
      label={t('fields')}
      onSubmit={() => whenAlone(() => void state.submit())}
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
    </ComposeForm>
  );
  return (
    <ComposeDialog
      title={t('title', { name: ticket.contact.name })}
      onClose={onClose}
      dirty={state.dirty}
      list={<List ticket={ticket} state={state} filter={filter} onFilter={setFilter} />}
      listWidth="336px"
      form={form}
      formId={FORM}
      preview={preview && <TemplatePreview template={preview} />}
      nothing={<EmptyState icon={<LayoutTemplate size={20} />} title={t('choose')} />}
      sendLabel={t('send')}
      canSend={chosen !== null}
      sending={state.sending}
      failure={state.failure}
      onBack={() => state.choose(null)}
    />
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
  const isAdmin = opens(useCurrentUser(), 'templates');
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
