import { chakra } from '@chakra-ui/react';

/** The logo: a counter bell on a teal square. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <chakra.svg
      viewBox="0 0 28 28"
      width={`${size}px`}
      height={`${size}px`}
      color="brand.solid"
      flexShrink="0"
      aria-hidden
    >
      <rect width="28" height="28" rx="7" fill="currentColor" />
      <g fill="#fff">
        <circle cx="14" cy="8.2" r="1.5" />
        <path d="M6 17.4a8 8 0 0 1 16 0z" />
        <rect x="4.6" y="18.8" width="18.8" height="2" rx="1" />
      </g>
    </chakra.svg>
  );
}
