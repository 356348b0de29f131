import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ErrorState, Skeleton } from '@/components/States';
import { formatDate } from '@/lib/format';
import { toast } from '@/lib/toast';
import {
  twoFactorQuery,
  useBeginTwoFactor,
  useDisableTwoFactor,
  useRenewRecoveryCodes,
  type TwoFactor,
} from './api';
import { Enrolling } from './Enrolling';
import { PasswordForm } from './PasswordForm';
import { RecoveryCodeList } from './RecoveryCodeList';

type Step = 'standing' | 'begin' | 'renew' | 'disable';

interface TwoFactorSettingsProps {
  /**
   * Called with true while closing would lose a started enrolment or unconfirmed recovery codes.
   */
  onDirty: (dirty: boolean) => void;
}

/** Turns the account's second factor on and off; each change requires the current password. */
export function TwoFactorSettings({ onDirty }: TwoFactorSettingsProps) {
  const { t } = useTranslation('security');
  const standing = useQuery(twoFactorQuery());
  const [step, setStep] = useState<Step>('standing');
  const [codes, setCodes] = useState<string[] | null>(null);
  const begin = useBeginTwoFactor();
  const renew = useRenewRecoveryCodes();
  const disable = useDisableTwoFactor();

  const showCodes = (drawn: string[]) => {
    setCodes(drawn);
    begin.reset();
    setStep('standing');
    onDirty(true);
  };
  const cancel = () => {
    begin.reset();
    setStep('standing');
    onDirty(false);
  };

  if (codes) {
    return (
      <RecoveryCodeList
        codes={codes}
        onKept={() => {
          setCodes(null);
          onDirty(false);
        }}
      />
    );
  }
  if (begin.data) {
    return <Enrolling enrolment={begin.data} onConfirmed={showCodes} onCancel={cancel} />;
  }
  if (standing.error)
    return <ErrorState error={standing.error} onRetry={() => void standing.refetch()} />;
  if (!standing.data) return <Skeleton h="24" />;

  if (step === 'begin') {
    return (
      <PasswordForm
        submit={t('twoFactor.continue')}
        onCancel={cancel}
        onSubmit={async (password) => {
          await begin.mutateAsync(password);
          onDirty(true);
        }}
      />
    );
  }
  if (step === 'renew') {
    return (
      <PasswordForm
        submit={t('codes.renew')}
        text={t('codes.renewText')}
        onCancel={cancel}
        onSubmit={async (password) => showCodes((await renew.mutateAsync(password)).recoveryCodes)}
      />
    );
  }
  if (step === 'disable') {
    return (
      <PasswordForm
        submit={t('twoFactor.disable')}
        text={t('twoFactor.disableText')}
        danger
        onCancel={cancel}
        onSubmit={async (password) => {
          await disable.mutateAsync(password);
          toast.success(t('twoFactor.disabled'));
          cancel();
        }}
      />
    );
  }
  return <StandingNow standing={standing.data} onStep={setStep} />;
}

function StandingNow({ standing, onStep }: { standing: TwoFactor; onStep: (step: Step) => void }) {
  const { t } = useTranslation('security');
  const { activeSince, recoveryCodes } = standing;
  if (!activeSince) {
    return (
      <Told
        icon={<ShieldOff size={20} />}
        title={t('twoFactor.off')}
        text={t('twoFactor.offText')}
        actions={<Button onClick={() => onStep('begin')}>{t('twoFactor.enable')}</Button>}
      />
    );
  }
  return (
    <Told
      live
      icon={<ShieldCheck size={20} />}
      title={t('twoFactor.on', { date: formatDate(activeSince) })}
      text={t('codes.left', { count: recoveryCodes })}
      actions={
        <>
          <Button variant="outline" onClick={() => onStep('renew')}>
            {t('codes.renew')}
          </Button>
          <Button variant="outline" onClick={() => onStep('disable')}>
            {t('twoFactor.disable')}
          </Button>
        </>
      }
    />
  );
}

interface ToldProps {
  icon: ReactNode;
  live?: boolean;
  title: string;
  text: string;
  actions: ReactNode;
}

function Told({ icon, live = false, title, text, actions }: ToldProps) {
  return (
    <chakra.div display="flex" gap="3">
      <chakra.span
        display="grid"
        placeItems="center"
        flexShrink="0"
        boxSize="10"
        borderRadius="full"
        bg={live ? 'status.live.subtle' : 'bg.subtle'}
        color={live ? 'status.live.fg' : 'fg.muted'}
      >
        {icon}
      </chakra.span>
      <chakra.div minW="0">
        <chakra.p fontWeight="semibold">{title}</chakra.p>
        <chakra.p mt="1" textStyle="sm" color="fg.muted">
          {text}
        </chakra.p>
        <chakra.div mt="4" display="flex" flexWrap="wrap" gap="2">
          {actions}
        </chakra.div>
      </chakra.div>
    </chakra.div>
  );
}
