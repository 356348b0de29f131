import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Switch } from '@/components/Toggle';
import { toast } from '@/lib/toast';
import { post, useAct, type Device, type SimNumber } from './api';
import { ScanForm } from './ScanForm';

interface Props {
  devices: Device[];
  numbers: SimNumber[];
  onLinked: (number: string) => void;
  onClose: () => void;
}

/** The phone's linked devices, and a form that links another one. */
export function DevicesDialog({ devices, numbers, onLinked, onClose }: Props) {
  const { t } = useTranslation('simulator');
  const linked = devices.filter(({ number }) => number);
  return (
    <Dialog open onClose={onClose} title={t('devices.title')} size="md">
      <chakra.div display="grid" gap="5" minW="0">
        {linked.length > 0 && (
          <chakra.ul aria-label={t('devices.linked')} display="grid" gap="3">
            {linked.map((device) => (
              <Linked
                key={device.session}
                device={device}
                number={numbers.find(({ id }) => id === device.number)}
              />
            ))}
          </chakra.ul>
        )}
        <ScanForm
          waiting={devices.filter(({ number, code }) => !number && code)}
          phones={numbers.filter(({ isPhone }) => isPhone)}
          onLinked={(number) => {
            toast.success(t('devices.done'));
            onLinked(number);
            onClose();
          }}
        />
      </chakra.div>
    </Dialog>
  );
}

function Linked({ device, number }: { device: Device; number: SimNumber | undefined }) {
  const { t } = useTranslation('simulator');
  const { session, isOnline } = device;
  const setOnline = useAct((online: boolean) => post('/devices/online', { session, online }));
  const remove = useAct(() => post('/devices/remove', { session }));
  const name = number?.name ?? '';
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      p="3"
      borderWidth="1px"
      borderRadius="lg"
    >
      <chakra.div flex="1" minW="40">
        <chakra.p fontWeight="medium" truncate>
          {name}
        </chakra.p>
        <chakra.p textStyle="xs" color="fg.muted">
          {t('devices.session', { phone: number?.phone, session })}
        </chakra.p>
      </chakra.div>
      <Switch
        checked={isOnline}
        onChange={(online) => setOnline.mutate(online)}
        label={t('devices.online')}
      />
      <Button
        size="sm"
        variant="outline"
        aria-label={t('devices.removeOf', { name })}
        loading={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        {t('devices.remove')}
      </Button>
    </chakra.li>
  );
}
