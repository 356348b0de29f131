import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { inputRecipe } from '@/theme/recipes/controls';
import { useFieldProps } from './Field';

const StyledInput = chakra('input', inputRecipe);
const StyledTextArea = chakra('textarea', inputRecipe);

type Size = 'sm' | 'md' | 'lg';

export interface TextInputProps extends Omit<HTMLChakraProps<'input'>, 'size' | 'multiline'> {
  size?: Size;
  /** Inside the field, at its start: an icon of 16 px. */
  startIcon?: ReactNode;
  /** Inside the field, at its end: a button or an icon. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function TextInput({ startIcon, end, ...props }: TextInputProps) {
  const field = useFieldProps();
  const input = (
    <StyledInput
      {...field}
      {...(startIcon ? { ps: '9' } : {})}
      {...(end ? { pe: '10' } : {})}
      {...props}
    />
  );
  if (!startIcon && !end) return input;
  return (
    <chakra.div position="relative" w="full">
      {startIcon && (
        <chakra.span
          position="absolute"
          insetBlock="0"
          insetStart="3"
          display="flex"
          alignItems="center"
          color="fg.muted"
          pointerEvents="none"
        >
          {startIcon}
        </chakra.span>
      )}
      {input}
      {end && (
        <chakra.span
          position="absolute"
          insetBlock="0"
          insetEnd="2"
          display="flex"
          alignItems="center"
          color="fg.muted"
        >
          {end}
        </chakra.span>
      )}
    </chakra.div>
  );
}

/** A password field with a button that shows the password. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'end'>) {
  const { t } = useTranslation();
  const [visible, setVisible] = useState(false);
  return (
    <TextInput
      {...props}
      type={visible ? 'text' : 'password'}
      end={
        <chakra.button
          type="button"
          display="flex"
          alignItems="center"
          justifyContent="center"
          p="1"
          cursor="pointer"
          borderRadius="sm"
          _hover={{ color: 'fg.default' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          aria-label={visible ? t('password.hide') : t('password.show')}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <EyeOff size={20} /> : <Eye size={20} />}
        </chakra.button>
      }
    />
  );
}

interface TextAreaProps extends Omit<HTMLChakraProps<'textarea'>, 'size' | 'multiline'> {
  size?: Size;
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea(props: TextAreaProps) {
  const field = useFieldProps();
  return <StyledTextArea {...field} rows={3} multiline {...props} />;
}
