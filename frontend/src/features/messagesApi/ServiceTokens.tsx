import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { MoreButton } from '@/components/ListEnd';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { ServiceTokenDialog } from './ServiceTokenDialog';
import { Section, Words } from './Section';
import { serviceTokensQuery, useRevokeServiceToken, type ServiceToken } from './tokensApi';

/** The company's service tokens: create, see their use, revoke (rules/accounts §12). */
export function ServiceTokens() {
  const { t } = useTranslation(['messagesApi', 'common']);
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  const query = useInfiniteQuery(serviceTokensQuery);
  const revoke = useRevokeServiceToken();
  const rows = query.data?.pages.flatMap((page) => page.serviceTokens);
  const add = (
    <Button size="sm" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      {t('tokens.add')}
    </Button>
  );

  return (
    <Section title={t('tokens.title')}>
      <Words>{t('tokens.text')}</Words>
      {query.isPending && <SkeletonRows rows={2} />}
      {query.isError && !rows && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {rows?.length === 0 && (
        <EmptyState icon={<KeyRound size={20} />} title={t('tokens.empty')} action={add} />
      )}
      {rows && rows.length > 0 && (
        <>
          <chakra.ul aria-label={t('tokens.title')} listStyleType="none" minW="0">
            {rows.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
            ))}
          </chakra.ul>
          <chakra.div display="flex" gap="2" flexWrap="wrap">
            {add}
            <MoreButton pages={query} label={t('tokens.more')} />
          </chakra.div>
        </>
      )}
      {isAdding && <ServiceTokenDialog onClose={() => setAdding(false)} />}
      {revoked && (
        <ConfirmDialog
          open
          onClose={() => setRevoked(null)}
          title={t('tokens.revokeTitle', { name: revoked.name })}
          confirmLabel={t('tokens.revoke')}
          loading={revoke.isPending}
          onConfirm={() =>
            revoke.mutate(revoked.id, {
              onSuccess: () => toast.success(t('tokens.revoked')),
              onError: toast.error,
              onSettled: () => setRevoked(null),
            })
          }
        >
          {t('tokens.revokeText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function TokenRow({ token, onRevoke }: { token: ServiceToken; onRevoke: () => void }) {
  const { t } = useTranslation('messagesApi');
  const isOver = token.expiresAt !== null && new Date(token.expiresAt) <= new Date();
  const end = token.expiresAt && formatDateTime(token.expiresAt);
  const facts = [
    token.lastUsedAt
      ? t('tokens.used', { at: formatDateTime(token.lastUsedAt) })
      : t('tokens.neverUsed'),
    end ? t(isOver ? 'tokens.ended' : 'tokens.ends', { at: end }) : t('tokens.endless'),
    ...(token.createdBy ? [t('tokens.by', { name: token.createdBy })] : []),
  ];
  return (
    <chakra.li
      display="flex"
      alignItems="flex-start"
      gap="3"
      py="3"
      borderBottomWidth="1px"
      minW="0"
    >
      <chakra.div flex="1" minW="0" display="grid" gap="1">
        <chakra.p fontWeight="semibold" overflowWrap="anywhere">
          {token.name}
        </chakra.p>
        <chakra.div display="flex" flexWrap="wrap" gap="1">
          {isOver && <Badge tone="danger">{t('tokens.over')}</Badge>}
          {token.scopes.map((scope) => (
            <Badge key={scope}>{t(`tokens.scope.${scope}`)}</Badge>
          ))}
        </chakra.div>
        <chakra.p textStyle="xs" color="fg.muted">
          {facts.join(' · ')}
        </chakra.p>
      </chakra.div>
      <IconButton
        label={t('tokens.revokeOf', { name: token.name })}
        size="sm"
        icon={<Trash2 size={16} />}
        onClick={onRevoke}
      />
    </chakra.li>
  );
}
