import { chakra, type HTMLChakraProps, type RecipeVariantProps } from '@chakra-ui/react';
import { LoaderCircle } from 'lucide-react';
import type { MouseEvent, ReactNode, Ref } from 'react';
import { buttonRecipe } from '@/theme/recipes/controls';

const StyledButton = chakra('button', buttonRecipe);

type Variants = NonNullable<RecipeVariantProps<typeof buttonRecipe>>;

export interface ButtonProps extends Omit<HTMLChakraProps<'button'>, keyof Variants> {
  variant?: 'solid' | 'outline' | 'ghost' | 'danger';
  /** 32 (toolbar), 36 (form) or 44 px (login, touch). */
  size?: 'sm' | 'md' | 'lg';
  square?: boolean;
  icon?: ReactNode;
  /** Shows a spinner and ignores clicks; the button keeps the focus. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Enter in a field must not submit the form again either. */
const refuse = (event: MouseEvent) => event.preventDefault();

export function Button({ icon, loading = false, children, onClick, ...props }: ButtonProps) {
  return (
    <StyledButton
      type="button"
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? refuse : onClick}
      {...props}
    >
      {loading ? <Spinner /> : icon}
      {children}
    </StyledButton>
  );
}

export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <chakra.span display="inline-flex" animation="spin 0.9s linear infinite" aria-hidden>
      <LoaderCircle size={size} />
    </chakra.span>
  );
}
