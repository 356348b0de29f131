import { chakra, Slider } from '@chakra-ui/react';
import { BellOff, BellRing, Volume1, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { askForDesktop, useDesktop } from '@/lib/desktop';
import { playChime } from '@/lib/sound';
import { setVolume, useUi } from '@/stores/ui';

/** A button that opens the volume settings. */
export function VolumePopover() {
  const { t } = useTranslation('shell');
  return (
    <Popover
      label={t('bar.volume')}
      width="240px"
      trigger={<IconButton label={t('bar.volume')} icon={<VolumeIcon size={20} />} />}
    >
      <Volume />
    </Popover>
  );
}

/** The icon of the current volume. */
export function VolumeIcon({ size }: { size: number }) {
  const volume = useUi((ui) => ui.volume);
  const Icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return <Icon size={size} />;
}

/** The volume of notification sounds (0 to 1 in steps of 0.1), and the desktop notifications. */
export function Volume() {
  const { t } = useTranslation('shell');
  const volume = useUi((ui) => ui.volume);
  return (
    <>
      <Slider.Root
        min={0}
        max={1}
        step={0.1}
        value={[volume]}
        onValueChange={({ value }) => setVolume(value[0] ?? volume)}
        onValueChangeEnd={({ value }) => playChime(value[0] ?? volume)}
        aria-label={[t('bar.volume')]}
      >
        <Slider.Label display="flex" justifyContent="space-between">
          {t('bar.volume')}
          <Slider.ValueText>{`${Math.round(volume * 100)}%`}</Slider.ValueText>
        </Slider.Label>
        <Slider.Control>
          <Slider.Track>
            <Slider.Range />
          </Slider.Track>
          <Slider.Thumb index={0}>
            <Slider.HiddenInput />
          </Slider.Thumb>
        </Slider.Control>
      </Slider.Root>
      <DesktopSwitch />
    </>
  );
}

/** Shows whether desktop notifications are allowed, or a button that asks for the permission. */
function DesktopSwitch() {
  const { t } = useTranslation('shell');
  const permission = useDesktop((state) => state.permission);
  if (permission === 'unsupported') return null;
  const Icon = permission === 'granted' ? BellRing : BellOff;
  return (
    <chakra.div mt="4" pt="3" borderTopWidth="1px">
      {permission === 'default' ? (
        <Button variant="outline" size="sm" w="full" onClick={() => void askForDesktop()}>
          <BellRing size={16} strokeWidth={1.75} aria-hidden />
          {t('desktop.ask')}
        </Button>
      ) : (
        <chakra.p display="flex" gap="2" textStyle="sm" color="fg.muted">
          <chakra.span flexShrink="0" pt="0.5" aria-hidden>
            <Icon size={16} strokeWidth={1.75} />
          </chakra.span>
          {t(`desktop.${permission}`)}
        </chakra.p>
      )}
    </chakra.div>
  );
}
