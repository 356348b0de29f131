import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/States';
import { paths } from './paths';

export function Component() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title={t('notFound.title')}
      text={t('notFound.text')}
      action={
        <Button variant="outline" onClick={() => void navigate(paths.tickets)}>
          {t('notFound.action')}
        </Button>
      }
    />
  );
}
