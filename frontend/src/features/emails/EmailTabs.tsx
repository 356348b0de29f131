import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Tabs } from '@/components/Tabs';

const ADDRESSES = { write: '/Email', sent: '/EmailLis' };
type Tab = keyof typeof ADDRESSES;

/** The two pages of e-mails. */
export function EmailTabs({ current }: { current: Tab }) {
  const { t } = useTranslation('emails');
  const navigate = useNavigate();
  return (
    <Tabs<Tab>
      aria-label={t('tabs.label')}
      value={current}
      onChange={(tab) => void navigate(ADDRESSES[tab])}
      tabs={[
        { value: 'write', label: t('tabs.write') },
        { value: 'sent', label: t('tabs.sent') },
      ]}
    />
  );
}
