import { chakra } from '@chakra-ui/react';
import { Check, Pipette } from 'lucide-react';
import { useId } from 'react';
import { labelId, useFieldProps } from './Field';
import { TextInput } from './TextInput';

interface NamedColor {
  /** '#RRGGBB'. */
  value: string;
  name: string;
}

interface ColorFieldProps {
  palette: readonly NamedColor[];
  value: string;
  onChange: (color: string) => void;
  /** The accessible name of the field for the colour code. */
  codeLabel: string;
  /** The accessible name of the system's colour picker. */
  otherLabel: string;
}

const HEX = /^#[0-9a-f]{6}$/i;
const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();

/** White or black, whichever contrasts with the colour. */
function inkOn(color: string): string {
  if (!HEX.test(color)) return '#FFFFFF';
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(color.slice(at, at + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#000000' : '#FFFFFF';
}

const Square = chakra('span', {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    w: '7',
    h: '7',
    borderRadius: 'sm',
    cursor: 'pointer',
    _focusWithin: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' },
  },
});

const Hidden = chakra('input', {
  base: { position: 'absolute', inset: '0', opacity: 0, cursor: 'pointer', w: 'full', h: 'full' },
});

/** Chooses a colour from a palette, by its code, or with the system's picker; inside a Field. */
export function ColorField({ palette, value, onChange, codeLabel, otherLabel }: ColorFieldProps) {
  const { id, ...field } = useFieldProps();
  const group = useId();
  const isOther = !palette.some((color) => isSame(color.value, value));
  return (
    <chakra.div display="flex" flexDirection="column" gap="3">
      <chakra.div
        role="radiogroup"
        {...(id && { 'aria-labelledby': labelId(id) })}
        display="flex"
        flexWrap="wrap"
        gap="2"
      >
        {palette.map((color) => {
          const isChosen = isSame(color.value, value);
          return (
            <Square
              key={color.value}
              data-tooltip={color.name}
              style={{ backgroundColor: color.value, color: inkOn(color.value) }}
            >
              <Hidden
                type="radio"
                name={group}
                aria-label={color.name}
                checked={isChosen}
                onChange={() => onChange(color.value)}
              />
              {isChosen && <Check size={16} strokeWidth={3} aria-hidden />}
            </Square>
          );
        })}
        <Square
          data-tooltip={otherLabel}
          borderWidth="1px"
          borderColor="border.control"
          {...(isOther && { style: { backgroundColor: value, color: inkOn(value) } })}
        >
          <Hidden
            type="color"
            aria-label={otherLabel}
            value={HEX.test(value) ? value : '#000000'}
            onChange={(event) => onChange(event.target.value.toUpperCase())}
          />
          <Pipette size={16} aria-hidden />
        </Square>
      </chakra.div>
      <TextInput
        {...field}
        {...(id && { id })}
        aria-label={codeLabel}
        autoComplete="off"
        spellCheck={false}
        maxLength={9}
        maxW="140px"
        fontVariantNumeric="tabular-nums"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </chakra.div>
  );
}
