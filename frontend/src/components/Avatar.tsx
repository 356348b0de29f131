import { chakra } from '@chakra-ui/react';
import { User, Users } from 'lucide-react';
import { useState, type CSSProperties, type ReactNode } from 'react';
import { avatarHue, initials } from '@/lib/format';

interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  /** Side in px; 40 in lists, 36 in the bar, 64 in the contact drawer. */
  size?: number;
  group?: boolean;
  /** A green dot: online. */
  online?: boolean;
  mark?: ReactNode;
}

/** A picture, or initials on a colour derived from the name. Decorative: the name is beside it. */
export function Avatar({ name, src, size = 40, group, online, mark }: AvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null);
  const letters = initials(name);
  const Figure = group ? Users : User;
  return (
    <chakra.span
      aria-hidden
      position="relative"
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flexShrink="0"
      borderRadius="full"
      fontWeight="semibold"
      userSelect="none"
      bg="hsl(var(--hue) 42% 90%)"
      color="hsl(var(--hue) 42% 29%)"
      _dark={{ bg: 'hsl(var(--hue) 24% 23%)', color: 'hsl(var(--hue) 42% 80%)' }}
      style={
        {
          '--hue': avatarHue(name),
          width: size,
          height: size,
          // In a small avatar two letters would be illegible at the usual size.
          fontSize: Math.round(size * (size < 28 ? 0.48 : 0.36)),
          lineHeight: 1,
        } as CSSProperties
      }
    >
      {src && src !== brokenSrc ? (
        <chakra.img
          src={src}
          alt=""
          loading="lazy"
          w="full"
          h="full"
          objectFit="cover"
          borderRadius="full"
          onError={() => setBrokenSrc(src)}
        />
      ) : letters && !group ? (
        // The initials are drawn by CSS: as text they would become part of the accessible name,
        // which voice control compares.
        <chakra.span data-letters={letters} _before={{ content: 'attr(data-letters)' }} />
      ) : (
        <Figure size={Math.round(size / 2)} />
      )}
      {online && (
        <chakra.span
          position="absolute"
          insetEnd="-1px"
          bottom="-1px"
          w="2.5"
          h="2.5"
          borderRadius="full"
          bg="status.live.solid"
          borderWidth="2px"
          borderColor="bg.surface"
          boxSizing="content-box"
        />
      )}
      {mark}
    </chakra.span>
  );
}
