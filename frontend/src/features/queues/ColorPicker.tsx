import { chakra } from '@chakra-ui/react';
import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, useFieldProps } from '@/components/Field';
import { Popover } from '@/components/Popover';
import { TextInput } from '@/components/TextInput';
import { inputRecipe } from '@/theme/recipes/controls';
import { colorKey, moveInGrid, PALETTE, PALETTE_COLUMNS, type PaletteColor } from './palette';

const Trigger = chakra('button', inputRecipe);

interface ColorPickerProps {
  value: string;
  onChange: (color: string) => void;
  /** The queues and their colours. */
  taken: readonly { name: string; color: string }[];
}

/**
 * The colour of a queue: one of 50, of which used ones name their queue, or any by its code; inside
 * a Field.
 */
export function ColorPicker({ value, onChange, taken }: ColorPickerProps) {
  const { t } = useTranslation('queues');
  const [open, setOpen] = useState(false);
  const field = useFieldProps();
  const triggerRef = useRef<HTMLButtonElement>(null);
  return (
    <Popover
      label={t('palette.label')}
      width="344px"
      placement="bottom-start"
      open={open}
      onOpenChange={setOpen}
      finalFocus={() => triggerRef.current}
      trigger={
        <Trigger
          {...field}
          ref={triggerRef}
          type="button"
          // A button supports neither attribute; the description contains the error.
          aria-required={undefined}
          aria-invalid={undefined}
          data-invalid={field['aria-invalid']}
          aria-label={t('palette.open', { color: value || t('palette.none') })}
          display="flex"
          alignItems="center"
          gap="2"
          cursor="pointer"
          textAlign="start"
          {...(field['aria-invalid'] && { borderColor: 'status.danger.solid' })}
        >
          <chakra.span
            aria-hidden
            w="4"
            h="4"
            borderRadius="sm"
            borderWidth="1px"
            borderColor="border.subtle"
            flexShrink="0"
            style={{ backgroundColor: value }}
          />
          <chakra.span flex="1" truncate fontVariantNumeric="tabular-nums">
            {value || t('palette.none')}
          </chakra.span>
          <chakra.span color="fg.muted" display="inline-flex" flexShrink="0">
            <ChevronDown size={16} aria-hidden />
          </chakra.span>
        </Trigger>
      }
    >
      <Palette
        value={value}
        taken={taken}
        onPick={(color) => {
          onChange(color);
          setOpen(false);
        }}
      />
      <chakra.div pt="3">
        <Field label={t('palette.code')} help={t('palette.codeHelp')}>
          <TextInput
            size="sm"
            autoComplete="off"
            spellCheck={false}
            maxLength={9}
            fontVariantNumeric="tabular-nums"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              setOpen(false);
            }}
          />
        </Field>
      </chakra.div>
    </Popover>
  );
}

interface PaletteProps extends Omit<ColorPickerProps, 'onChange'> {
  onPick: (color: string) => void;
}

/** A grid with one colour in the tab order; arrow keys move from there. */
function Palette({ value, taken, onPick }: PaletteProps) {
  const { t } = useTranslation('queues');
  const gridRef = useRef<HTMLDivElement>(null);
  const chosen = PALETTE.findIndex((color) => colorKey(color.value) === colorKey(value));
  const [at, setAt] = useState(Math.max(chosen, 0));
  const owners = new Map(taken.map(({ name, color }) => [colorKey(color), name]));

  const focus = (index: number) => {
    setAt(index);
    gridRef.current?.querySelectorAll('button')[index]?.focus();
  };
  // Scrolls to the chosen colour when it opens.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      gridRef.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveInGrid(at, event.key, PALETTE.length);
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
  };

  const nameOf = ({ hue, tone, value: code }: PaletteColor) => {
    const color = t(`palette.tones.${tone}`, { hue: t(`palette.hues.${hue}`) });
    const owner = owners.get(colorKey(code));
    return owner === undefined ? color : t('palette.taken', { color, queue: owner });
  };

  return (
    <chakra.div
      ref={gridRef}
      role="radiogroup"
      aria-label={t('palette.label')}
      display="grid"
      gap="1"
      style={{ gridTemplateColumns: `repeat(${PALETTE_COLUMNS}, 1fr)` }}
      onKeyDown={onKeyDown}
    >
      {PALETTE.map((color, index) => {
        const isTaken = owners.has(colorKey(color.value));
        const isChosen = index === chosen;
        return (
          <chakra.button
            type="button"
            key={color.value}
            data-tooltip={nameOf(color)}
            role="radio"
            aria-checked={isChosen}
            aria-disabled={isTaken}
            aria-label={nameOf(color)}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={() => !isTaken && onPick(color.value)}
            position="relative"
            display="flex"
            alignItems="center"
            justifyContent="center"
            h="7"
            borderRadius="sm"
            cursor={isTaken ? 'not-allowed' : 'pointer'}
            color="white"
            _focusVisible={{
              outline: '2px solid',
              outlineColor: 'brand.fg',
              outlineOffset: '2px',
            }}
            style={{ backgroundColor: color.value }}
          >
            {isTaken && <TakenMark />}
            {isChosen && <ChosenMark />}
          </chakra.button>
        );
      })}
    </chakra.div>
  );
}

/** A diagonal line with a background of its own: visible on every colour. */
function TakenMark() {
  return (
    <chakra.span
      aria-hidden
      position="absolute"
      inset="0"
      borderRadius="sm"
      bg="bg.raised"
      opacity="0.72"
      _after={{
        content: '""',
        position: 'absolute',
        left: '4px',
        right: '4px',
        top: 'calc(50% - 1px)',
        h: '2px',
        bg: 'fg.default',
        transform: 'rotate(-40deg)',
      }}
    />
  );
}

function ChosenMark() {
  return (
    <chakra.span
      aria-hidden
      position="relative"
      display="flex"
      p="0.5"
      borderRadius="full"
      bg="bg.raised"
      color="fg.default"
    >
      <Check size={12} strokeWidth={3} />
    </chakra.span>
  );
}
