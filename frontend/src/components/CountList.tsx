import { chakra } from '@chakra-ui/react';
import { formatCount } from '@/lib/format';

interface CountListProps {
  lines: readonly { id: string; label: string; count: number }[];
}

/** The results of a bulk action: a line with its count for each. */
export function CountList({ lines }: CountListProps) {
  return (
    <chakra.dl borderWidth="1px" borderRadius="md" textStyle="sm">
      {lines.map(({ id, label, count }) => (
        <chakra.div
          key={id}
          display="flex"
          justifyContent="space-between"
          gap="3"
          px="3"
          py="2"
          css={{ '& + &': { borderTopWidth: '1px' } }}
        >
          <chakra.dt color="fg.muted">{label}</chakra.dt>
          <chakra.dd fontVariantNumeric="tabular-nums">{formatCount(count)}</chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}
