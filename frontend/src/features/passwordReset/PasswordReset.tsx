import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { resetOfferQuery } from './api';
import { AskForm } from './AskForm';
import { NewPasswordForm } from './NewPasswordForm';

interface PasswordResetProps {
  /** The address for which a code was requested; null in the first step. */
  email: string | null;
  onEmail: (email: string | null) => void;
  onDone: (email: string) => void;
}

/** Both steps of a password reset; if the installation sends no e-mail, whom to ask instead. */
export function PasswordReset({ email, onEmail, onDone }: PasswordResetProps) {
  const { t } = useTranslation('passwordReset');
  const offer = useQuery(resetOfferQuery);
  if (offer.data?.enabled === false)
    return (
      <chakra.div w="full" maxW="360px">
        <chakra.h1 textStyle="2xl" fontWeight="semibold">
          {t('noMailTitle')}
        </chakra.h1>
        <chakra.p mt="2" color="fg.muted">
          {t('noMailText')}
        </chakra.p>
      </chakra.div>
    );
  if (email === null) return <AskForm email="" onAsked={onEmail} />;
  return (
    <NewPasswordForm
      email={email}
      onDone={() => onDone(email)}
      onOtherEmail={() => onEmail(null)}
    />
  );
}
