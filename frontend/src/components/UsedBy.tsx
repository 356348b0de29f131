import { chakra } from '@chakra-ui/react';

interface UsedByProps {
  /** One line for each kind of use; false if there is none. */
  lines: readonly (string | false)[];
  /** The text if there is no use of any kind. */
  none: string;
}

/** The names of rows, joined for use in a sentence. */
export const namesOf = (rows: readonly { name: string }[]) =>
  rows.map(({ name }) => name).join(', ');

/** Lists where a row is used, in a table's cell. */
export function UsedBy({ lines, none }: UsedByProps) {
  const shown = lines.filter((line) => line !== false);
  if (shown.length === 0) return <chakra.span color="fg.muted">{none}</chakra.span>;
  return (
    <chakra.span display="flex" flexDirection="column" minW="0">
      {shown.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </chakra.span>
  );
}
