import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { EmptyState } from '@/components/States';
import { paths } from './paths';

/** Time to read the notice before the redirect (rules/screens §1). */
const READ_MS = 1000;

/** Shown instead of a page that the company's plan does not include; then redirects home. */
export function PlanGuard() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(paths.home, { replace: true }), READ_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div role="alert" style={{ display: 'flex', flex: 1 }}>
      <EmptyState icon={<Lock size={20} />} title={t('notInPlan')} />
    </div>
  );
}
