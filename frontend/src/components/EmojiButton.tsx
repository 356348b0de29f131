import { chakra } from '@chakra-ui/react';
import { Smile } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Spinner } from './Button';
import { IconButton } from './IconButton';
import { Popover } from './Popover';

const EmojiPanel = lazy(() => import('./EmojiPanel'));

interface EmojiButtonProps {
  label: string;
  onPick: (emoji: string) => void;
  /** The element to focus when the panel closes. */
  finalFocus: () => HTMLElement | null;
}

/** A button that opens the emoji panel. */
export function EmojiButton({ label, onPick, finalFocus }: EmojiButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={label}
      trigger={<IconButton label={label} icon={<Smile size={20} />} size="sm" />}
      placement="top-start"
      width="min(340px, calc(100vw - 32px))"
      open={open}
      onOpenChange={setOpen}
      finalFocus={finalFocus}
    >
      <Suspense
        fallback={
          <chakra.div h="360px" display="flex" alignItems="center" justifyContent="center">
            <Spinner size={20} />
          </chakra.div>
        }
      >
        <EmojiPanel
          onPick={(emoji) => {
            onPick(emoji);
            setOpen(false);
          }}
        />
      </Suspense>
    </Popover>
  );
}
