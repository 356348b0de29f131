import { FlaskConical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';

/** Begins a rehearsal; its report shows everybody's conversations, so the role must, too. */
export function RehearseButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('rehearsals');
  if (!may(useCurrentUser(), 'tickets:seeAll')) return null;
  return (
    <Button variant="outline" icon={<FlaskConical size={16} />} onClick={onClick}>
      {t('open')}
    </Button>
  );
}
