import { useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { IconButton } from './IconButton';
import { Popover } from './Popover';
import { TextInput } from './TextInput';

export interface PickedFieldProps {
  /** The value in its canonical form, or the typed text if it is invalid. */
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  readOnly?: boolean;
  disabled?: boolean;
  size?: 'sm' | 'md';
  name?: string;
  ref?: Ref<HTMLInputElement>;
  /** Required if no Field supplies the name. */
  'aria-label'?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

interface Picker {
  /** The value as shown while the user is not typing. */
  shown: string;
  placeholder: string;
  maxLength: number;
  /** Converts typed text to a value. */
  read: (typed: string) => string;
  /** The value to which an arrow key leads; null for none. */
  step: (direction: 1 | -1) => string | null;
  icon: ReactNode;
  /** The name of the button and of its popover. */
  open: string;
  label: string;
  width: string;
  placement?: 'bottom-start' | 'bottom-end';
  /** The content of the popover; the one element with tabindex 0 gets the focus. */
  children: (pick: (value: string) => void) => ReactNode;
}

/** A value that is typed, changed by the arrow keys, or chosen in the popover of its button. */
export function PickedField(props: Omit<PickedFieldProps, 'value'> & Picker) {
  const { shown, read, step, icon, open, label, width, placement, children, ...input } = props;
  const { onChange, onBlur, readOnly, disabled, ...rest } = input;
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const content = useRef<HTMLDivElement>(null);

  const take = (value: string) => {
    setTyped(null);
    onChange(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key];
    if (!direction || readOnly) return;
    event.preventDefault();
    if (event.altKey) {
      setOpen(true);
      return;
    }
    const next = step(direction);
    if (next !== null) take(next);
  };

  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      fontVariantNumeric="tabular-nums"
      readOnly={readOnly}
      disabled={disabled}
      value={typed ?? shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(read(event.target.value));
      }}
      onBlur={() => {
        setTyped(null);
        onBlur?.();
      }}
      onKeyDown={onKeyDown}
      {...rest}
      end={
        !readOnly &&
        !disabled && (
          <Popover
            label={label}
            width={width}
            {...(placement && { placement })}
            open={isOpen}
            onOpenChange={setOpen}
            initialFocus={() => content.current?.querySelector('[tabindex="0"]') ?? null}
            trigger={<IconButton size="sm" me="-1" icon={icon} label={open} />}
          >
            <div ref={content}>
              {children((value) => {
                take(value);
                setOpen(false);
              })}
            </div>
          </Popover>
        )
      }
    />
  );
}
