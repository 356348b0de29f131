import { chakra } from '@chakra-ui/react';
import { KeyRound, RotateCw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { ConfirmDialog } from '@/components/Dialog';
import { toast } from '@/lib/toast';
import { useIssueToken, useRevokeToken } from './api';
import { Section } from './fields';
import type { Connection } from './types';

interface ApiSectionProps {
  connection: Connection;
  /** The token that was created since the dialog was opened; it is not shown again later. */
  token: string | null;
  hasToken: boolean;
  onToken: (token: string | null) => void;
}

/** The API token with which programs send through the number. */
export function ApiSection({ connection, token, hasToken, onToken }: ApiSectionProps) {
  const { t } = useTranslation('connections');
  const [asking, setAsking] = useState<'renew' | 'revoke' | null>(null);
  const issue = useIssueToken(connection.id);
  const revoke = useRevokeToken(connection.id);
  const row = useRef<HTMLDivElement>(null);
  /** The pressed button disappears after its action. */
  const keepFocus = () => requestAnimationFrame(() => row.current?.focus());
  const make = () =>
    issue.mutate(undefined, {
      onSuccess: (answer) => {
        onToken(answer.token);
        keepFocus();
      },
      onError: toast.error,
      onSettled: () => setAsking(null),
    });
  const end = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        onToken(null);
        toast.success(t('api.revoked'));
        keepFocus();
      },
      onError: toast.error,
      onSettled: () => setAsking(null),
    });
  return (
    <Section title={t('api.title')} text={t('api.text')}>
      <chakra.div
        ref={row}
        tabIndex={-1}
        role="group"
        aria-label={t('api.title')}
        display="flex"
        alignItems="center"
        gap="3"
        flexWrap="wrap"
        outline="none"
      >
        <Badge tone={hasToken ? 'live' : 'neutral'}>
          {hasToken ? t('api.active') : t('api.inactive')}
        </Badge>
        {hasToken ? (
          <>
            <Button
              size="sm"
              variant="outline"
              icon={<RotateCw size={16} />}
              onClick={() => setAsking('renew')}
            >
              {t('api.renew')}
            </Button>
            <Button
              size="sm"
              variant="outline"
              icon={<Trash2 size={16} />}
              onClick={() => setAsking('revoke')}
            >
              {t('api.revoke')}
            </Button>
          </>
        ) : (
          <Button
            size="sm"
            variant="outline"
            icon={<KeyRound size={16} />}
            loading={issue.isPending}
            onClick={make}
          >
            {t('api.create')}
          </Button>
        )}
      </chakra.div>
      {token !== null && (
        <chakra.div role="status" display="flex" flexDirection="column" gap="2" minW="0">
          <chakra.p textStyle="sm">
            <chakra.strong fontWeight="semibold">{t('api.onceTitle')}</chakra.strong>{' '}
            <chakra.span color="fg.muted">{t('api.onceText')}</chakra.span>
          </chakra.p>
          <CopyLine text={token} label={t('api.copy')} />
        </chakra.div>
      )}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={t(asking === 'revoke' ? 'api.revokeTitle' : 'api.renewTitle', {
          name: connection.name,
        })}
        confirmLabel={t(asking === 'revoke' ? 'api.revoke' : 'api.renew')}
        loading={issue.isPending || revoke.isPending}
        onConfirm={asking === 'revoke' ? end : make}
      >
        {t('api.endsText')}
      </ConfirmDialog>
    </Section>
  );
}
