import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { LoginForm } from '@/features/session/LoginForm';
import { signupOfferQuery } from '@/features/signup/api';
import { OtherWay } from './OtherWay';
import { paths } from './paths';
import { PublicFrame } from './PublicFrame';

export function Component() {
  const { t } = useTranslation('session');
  const state = useLocation().state as { email?: string } | null;
  return (
    <PublicFrame title={t('submit')}>
      <LoginForm email={state?.email ?? ''} />
      <OtherWay link={t('forgot')} to={paths.passwordReset} />
      <Suspense>
        <ToSignup />
      </Suspense>
    </PublicFrame>
  );
}

/** A link to the sign-up, if the operator offers it and there is a plan to sign up for. */
function ToSignup() {
  const { t } = useTranslation('signup');
  const { data } = useQuery(signupOfferQuery());
  if (!data?.enabled || !data.hasPlans) return null;
  return (
    <OtherWay question={t('signup:noAccount')} link={t('signup:toSignup')} to={paths.signup} />
  );
}
