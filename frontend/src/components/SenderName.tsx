import { chakra } from '@chakra-ui/react';
import { avatarHue } from '@/lib/format';

interface SenderNameProps {
  name: string;
  /** The bubble's content reaches its edges. */
  inset: boolean;
}

/** The sender's name in a conversation of several people, in the hue of their avatar. */
export function SenderName({ name, inset }: SenderNameProps) {
  return (
    <chakra.div
      textStyle="sm"
      fontWeight="semibold"
      px={inset ? '2' : '0'}
      truncate
      color="hsl(var(--hue) 60% 32%)"
      _dark={{ color: 'hsl(var(--hue) 55% 74%)' }}
      style={{ '--hue': avatarHue(name) } as React.CSSProperties}
    >
      {name}
    </chakra.div>
  );
}
