import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { Tabs } from '@/components/Tabs';
import { SignIns } from './SignIns';
import { TwoFactorSettings } from './TwoFactorSettings';

/** The second factor and the logins of the current user's account (rules/accounts §10). */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('security');
  const [tab, setTab] = useState<'twoFactor' | 'signIns'>('twoFactor');
  const [dirty, setDirty] = useState(false);
  return (
    <Dialog open onClose={onClose} title={t('title')} dirty={dirty}>
      <Tabs
        aria-label={t('title')}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'twoFactor',
            label: t('twoFactor.tab'),
            content: (
              <chakra.div pt="4">
                <TwoFactorSettings onDirty={setDirty} />
              </chakra.div>
            ),
          },
          { value: 'signIns', label: t('signIns.tab'), content: <SignIns /> },
        ]}
      />
    </Dialog>
  );
}
