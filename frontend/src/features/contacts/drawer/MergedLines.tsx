import { chakra } from '@chakra-ui/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Merge as MergeIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { mergesQuery, undoMerge } from '../api';
import type { Merge } from '../types';

const MINUTE_MS = 60_000;

/** 'há 2 h', 'há 5 min': never less than a minute. */
function formatAgo(since: string, language: string, now = Date.now()): string {
  const minutes = Math.max(1, Math.floor((now - Date.parse(since)) / MINUTE_MS));
  const words = new Intl.RelativeTimeFormat(language, { style: 'short' });
  return minutes < 60
    ? words.format(-minutes, 'minute')
    : words.format(-Math.floor(minutes / 60), 'hour');
}

/** The merges into the contact that can still be undone (rules/contacts §10). */
export function MergedLines({ contactId }: { contactId: number }) {
  const { t } = useTranslation('contactDrawer');
  // Of minor importance in the drawer: an error is not reported.
  const { data: merges = [] } = useQuery(mergesQuery(contactId));
  if (merges.length === 0) return null;
  return (
    <chakra.ul aria-label={t('merged.label')} listStyleType="none" px="5" pb="3" flexShrink="0">
      {merges.map((merge) => (
        <MergedLine key={merge.id} merge={merge} />
      ))}
    </chakra.ul>
  );
}

function MergedLine({ merge }: { merge: Merge }) {
  const { t, i18n } = useTranslation('contactDrawer');
  const client = useQueryClient();
  const mayUndo = may(useCurrentUser(), 'contacts:delete');
  const undo = useMutation({
    mutationFn: () => undoMerge(client, merge.id),
    onSuccess: () => toast.success(t('merged.undone', { name: merge.name })),
    onError: (error) => {
      toast.error(error);
      // Another user was faster, or the 24 hours are over.
      void client.invalidateQueries({ queryKey: mergesQuery(merge.contactId).queryKey });
    },
  });
  return (
    <chakra.li display="flex" alignItems="center" gap="2" textStyle="xs" color="fg.muted">
      <chakra.span flexShrink="0" aria-hidden>
        <MergeIcon size={16} />
      </chakra.span>
      <chakra.span flex="1" minW="0" overflowWrap="anywhere">
        {t('merged.line', { name: merge.name, ago: formatAgo(merge.createdAt, i18n.language) })}
      </chakra.span>
      {mayUndo && (
        <Button
          variant="ghost"
          size="sm"
          loading={undo.isPending}
          aria-label={t('merged.undoOf', { name: merge.name })}
          onClick={() => undo.mutate()}
        >
          {t('merged.undo')}
        </Button>
      )}
    </chakra.li>
  );
}
