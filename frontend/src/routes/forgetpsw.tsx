import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { PasswordReset } from '@/features/passwordReset/PasswordReset';
import { OtherWay } from './OtherWay';
import { paths } from './paths';
import { PublicFrame } from './PublicFrame';

export function Component() {
  const { t } = useTranslation('passwordReset');
  const navigate = useNavigate();
  // In the URL, so that the second step survives a reload, for example after a look at the e-mail.
  const [search, setSearch] = useSearchParams();
  return (
    <PublicFrame title={t('title')}>
      <PasswordReset
        email={search.get('email')}
        onEmail={(email) => setSearch(email === null ? {} : { email })}
        onDone={(email) => void navigate(paths.login, { replace: true, state: { email } })}
      />
      <OtherWay link={t('back')} to={paths.login} />
    </PublicFrame>
  );
}
