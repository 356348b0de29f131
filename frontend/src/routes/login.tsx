import { useTranslation } from 'react-i18next';
import { LoginForm } from '@/features/session/LoginForm';
import { PublicFrame } from './PublicFrame';

export function Component() {
  const { t } = useTranslation('session');
  return (
    <PublicFrame title={t('submit')}>
      <LoginForm />
    </PublicFrame>
  );
}
