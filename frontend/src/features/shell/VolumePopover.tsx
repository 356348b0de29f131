import { Slider } from '@chakra-ui/react';
import { Volume1, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { setVolume, useUi } from '@/stores/ui';

/** The volume of notification sounds, 0 to 1 in tenths. */
export function VolumePopover() {
  const { t } = useTranslation('shell');
  const volume = useUi((ui) => ui.volume);
  const Icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <Popover
      width="240px"
      trigger={<IconButton label={t('bar.volume')} icon={<Icon size={20} />} />}
    >
      <Slider.Root
        min={0}
        max={1}
        step={0.1}
        value={[volume]}
        onValueChange={({ value }) => setVolume(value[0] ?? volume)}
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
    </Popover>
  );
}
