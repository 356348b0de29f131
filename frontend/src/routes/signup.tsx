import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { DoorClosed, PackageOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { publicPlansQuery, signupOfferQuery } from '@/features/signup/api';
import { SignupForm } from '@/features/signup/SignupForm';
import { OtherWay } from './OtherWay';
import { paths } from './paths';
import { PublicFrame } from './PublicFrame';

/** The sign-up page; the operator decides whether it is open. */
export function Component() {
  const { t } = useTranslation('signup');
  return (
    <PublicFrame title={t('title')}>
      <chakra.div w="full" maxW="440px" display="flex" flexDirection="column" gap="6">
        <SignupBody />
      </chakra.div>
    </PublicFrame>
  );
}

function SignupBody() {
  const { t } = useTranslation('signup');
  const navigate = useNavigate();
  const offer = useQuery(signupOfferQuery());
  const plans = useQuery(publicPlansQuery());
  const failed = [offer, plans].find(({ isError }) => isError);
  if (failed)
    return (
      <ErrorState
        title={t('loadFailed')}
        error={failed.error}
        onRetry={() => {
          if (offer.isError) void offer.refetch();
          if (plans.isError) void plans.refetch();
        }}
      />
    );
  if (offer.data?.enabled === false)
    return (
      <EmptyState
        icon={<DoorClosed size={20} />}
        title={t('closed.title')}
        text={t('closed.text')}
        action={<OtherWay link={t('closed.back')} to={paths.login} />}
      />
    );
  if (plans.data?.length === 0)
    return (
      <EmptyState
        icon={<PackageOpen size={20} />}
        title={t('noPlans.title')}
        text={t('noPlans.text')}
        action={<OtherWay link={t('closed.back')} to={paths.login} />}
      />
    );
  return (
    <>
      <div>
        <chakra.h1 textStyle="2xl" fontWeight="semibold">
          {t('title')}
        </chakra.h1>
        <chakra.p mt="1" color="fg.muted">
          {t('text')}
        </chakra.p>
      </div>
      {offer.data && plans.data ? (
        <SignupForm
          plans={plans.data}
          onDone={(email) => void navigate(paths.login, { state: { email } })}
        />
      ) : (
        <SkeletonRows rows={4} />
      )}
      <OtherWay question={t('haveAccount')} link={t('toLogin')} to={paths.login} />
    </>
  );
}
