import { useQueryClient } from '@tanstack/react-query';
import { LayoutTemplate, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAction, FailureLine } from '@/components/FailureLine';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { resendMessage } from './api';
import { changeConversation } from './cache';
import { foldUpdated } from './fold';
import { removeItem, resendItem, type OutboxItem } from './outbox';
import { isUtilityText } from './parse';
import type { Message } from './types';

const useNotSent = () => {
  const { t } = useTranslation('messages');
  return (reason: string) => (reason ? t('notSentBecause', { reason }) : t('notSent'));
};

/** The way on for a refused utility text: a template, with the text at hand. */
function UseTemplate({ onUse }: { onUse: () => void }) {
  const { t } = useTranslation('messages');
  return (
    <FailureAction type="button" onClick={onUse}>
      <LayoutTemplate size={16} aria-hidden />
      {t('utility.useTemplate')}
    </FailureAction>
  );
}

interface FailureProps {
  message: Message;
  ticketId: number;
  canResend: boolean;
  /** Opens the templates with a text at hand; set while the window is closed. */
  onTemplates?: ((text: string) => void) | undefined;
}

/** A message that the provider refused (rules/messages §2): the reason, and a retry button. */
export function Failure({ message, ticketId, canResend, onTemplates }: FailureProps) {
  const { t } = useTranslation('messages');
  const notSent = useNotSent();
  const reasonOf = useReason();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      const sent = await resendMessage(message.id);
      changeConversation(client, ticketId, (pages) => foldUpdated(pages, sent));
    } catch (error) {
      toast.error(error);
    }
    setBusy(false);
  };
  return (
    <FailureLine words={notSent(reasonOf(message, message.errorReason))}>
      {canResend && (
        <FailureAction type="button" disabled={busy} onClick={() => void resend()}>
          <RotateCw size={16} aria-hidden />
          {t('resend')}
        </FailureAction>
      )}
      {!canResend && onTemplates && isUtilityText(message.dataJson) && (
        <UseTemplate onUse={() => onTemplates(message.body)} />
      )}
    </FailureLine>
  );
}

/** A message that the server refused: the reason, retry, or discard. */
export function OutboxFailure(props: { item: OutboxItem } & Pick<FailureProps, 'onTemplates'>) {
  const { item, onTemplates } = props;
  const { t } = useTranslation('messages');
  const notSent = useNotSent();
  if (item.state !== 'failed')
    return item.waits && !item.isKept ? <FailureLine words={t('outbox.notKept')} /> : null;
  return (
    <FailureLine words={notSent(item.reason)}>
      {item.isUtility && onTemplates ? (
        <UseTemplate onUse={() => onTemplates(item.body)} />
      ) : (
        <FailureAction type="button" onClick={() => resendItem(item.clientId)}>
          <RotateCw size={16} aria-hidden />
          {t('resend')}
        </FailureAction>
      )}
      <FailureAction type="button" color="fg.muted" onClick={() => removeItem(item.clientId)}>
        <Trash2 size={16} aria-hidden />
        {t('outbox.discard')}
      </FailureAction>
    </FailureLine>
  );
}

/** Codes of changes that the provider refused after the browser had shown them. */
const CHANGES: Readonly<Record<string, string>> = {
  ERR_REACT_WAPP_MSG: 'react',
  ERR_EDIT_WAPP_MSG: 'edit',
  ERR_DELETE_WAPP_MSG: 'delete',
};

/** A reaction, an edit or a deletion that was undone, and the reason. */
export function ChangeFailure({ message }: { message: Message }) {
  const { t } = useTranslation('conversation');
  const reasonOf = useReason();
  const change = CHANGES[message.errorCode];
  if (!change) return null;
  const reason = reasonOf(message, message.errorReason);
  return <FailureLine words={t(`changeFailed.${change}`, { reason })} />;
}
