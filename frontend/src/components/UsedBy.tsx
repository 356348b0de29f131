import { chakra } from '@chakra-ui/react';

interface UsedByProps {
  /** One line for each kind of place; false where there is none. */
  lines: readonly (string | false)[];
  /** What is said when there is none of any kind. */
  none: string;
}

/** The names of rows, as one word of a sentence. */
export const namesOf = (rows: readonly { name: string }[]) =>
  rows.map(({ name }) => name).join(', ');

/** Where a row is used, in a table's cell. */
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
