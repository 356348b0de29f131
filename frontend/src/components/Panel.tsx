import { chakra } from '@chakra-ui/react';
import { useId, type ReactNode } from 'react';

interface PanelProps {
  title: string;
  /** After the title, quieter. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One part of a page under its name. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <chakra.section
      aria-labelledby={id}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      minW="0"
      flexShrink="0"
      display="flex"
      flexDirection="column"
      overflow="hidden"
    >
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="baseline"
        columnGap="2.5"
        px="4"
        pt="4"
        pb="2"
      >
        <chakra.h2 id={id} textStyle="md" fontWeight="semibold">
          {title}
        </chakra.h2>
        {aside && (
          <chakra.span textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {aside}
          </chakra.span>
        )}
      </chakra.div>
      {children}
    </chakra.section>
  );
}
