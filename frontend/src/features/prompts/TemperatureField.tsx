import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Field, useFieldProps } from '@/components/Field';
import { touch } from '@/theme/screens';
import { MAX_TEMPERATURE } from './schemas';
import { temperatureLabel } from './temperature';

const STEP = 0.1;
interface TemperatureFieldProps {
  value: number;
  onChange: (value: number) => void;
  error?: string | undefined;
}

/** The model's temperature, from precise to creative. */
export function TemperatureField({ value, onChange, error }: TemperatureFieldProps) {
  const { t, i18n } = useTranslation('prompts');
  const shown = value.toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  return (
    <Field
      label={t('fields.temperature')}
      aside={
        <chakra.span textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {shown} · {t(`temperature.${temperatureLabel(value)}`)}
        </chakra.span>
      }
      help={t('fields.temperatureHelp')}
      error={error}
    >
      <Slider
        value={value}
        onChange={onChange}
        words={`${shown}, ${t(`temperature.${temperatureLabel(value)}`)}`}
      />
      <chakra.div
        aria-hidden
        display="flex"
        justifyContent="space-between"
        textStyle="xs"
        color="fg.muted"
      >
        <span>{t('temperature.precise')}</span>
        <span>{t('temperature.creative')}</span>
      </chakra.div>
    </Field>
  );
}

function Slider(props: { value: number; onChange: (value: number) => void; words: string }) {
  const field = useFieldProps();
  return (
    <chakra.input
      {...field}
      type="range"
      min={0}
      max={MAX_TEMPERATURE}
      step={STEP}
      value={props.value}
      aria-valuetext={props.words}
      // Sums of 0.1 are inexact in floating point (0.30000000000000004).
      onChange={(event) => props.onChange(Math.round(Number(event.target.value) * 10) / 10)}
      w="full"
      h="6"
      m="0"
      cursor="pointer"
      accentColor="brand.solid"
      // The browser draws the track itself and needs the colour scheme.
      css={{ _dark: { colorScheme: 'dark' }, [touch]: { h: '11' } }}
      borderRadius="sm"
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' }}
    />
  );
}
