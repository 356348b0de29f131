import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { useDisableUserTwoFactor, userTwoFactorQuery } from '@/features/security/api';
import { formatDate } from '@/lib/format';
import { toast } from '@/lib/toast';

/** Another user's second factor; an admin can turn it off if the user has lost the phone. */
export function UserTwoFactor({ userId, name }: { userId: number; name: string }) {
  const { t } = useTranslation('security');
  const { data } = useQuery(userTwoFactorQuery(userId));
  const disable = useDisableUserTwoFactor(userId);
  const [isAsking, setAsking] = useState(false);
  if (!data?.activeSince) return null;
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="3"
      px="3"
      py="2"
      borderWidth="1px"
      borderRadius="md"
    >
      <chakra.span color="status.live.fg">
        <ShieldCheck size={20} />
      </chakra.span>
      <chakra.div flex="1" minW="0">
        <chakra.p textStyle="sm" fontWeight="semibold">
          {t('user.label')}
        </chakra.p>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('user.active', { date: formatDate(data.activeSince) })}
        </chakra.p>
      </chakra.div>
      <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
        {t('user.end')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('user.confirmTitle', { name })}
        confirmLabel={t('user.end')}
        loading={disable.isPending}
        onConfirm={() =>
          disable.mutate(undefined, {
            onSuccess: () => toast.success(t('user.ended')),
            onError: toast.error,
            onSettled: () => setAsking(false),
          })
        }
      >
        {t('user.confirmText')}
      </ConfirmDialog>
    </chakra.div>
  );
}
