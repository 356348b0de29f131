import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/States';
import { paths } from './paths';

/** Shown instead of a page that the user's role may not open (rules/screens §1). */
export function Forbidden() {
  const { t } = useTranslation(['shell', 'common']);
  const navigate = useNavigate();
  return (
    <div role="alert" style={{ display: 'flex', flex: 1 }}>
      <EmptyState
        icon={<Lock size={20} />}
        title={t('forbidden.title')}
        text={t('forbidden.text')}
        action={
          <Button variant="outline" onClick={() => void navigate(paths.tickets)}>
            {t('common:notFound.action')}
          </Button>
        }
      />
    </div>
  );
}
