import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface TableProps {
  label: string;
  first: string;
  rows: readonly { key: string; name: string; before: ReactNode; after: ReactNode }[];
  /** What the two columns are called, if not 'was' and 'would be'. */
  heads?: readonly [string, string];
}

/** A table with 'before' and 'after'. */
export function Compared({ label, first, rows, heads }: TableProps) {
  const { t } = useTranslation('rehearsals');
  const [before, after] = heads ?? [t('before'), t('after')];
  return (
    <chakra.table w="full" textStyle="sm" fontVariantNumeric="tabular-nums" aria-label={label}>
      <chakra.thead color="fg.muted">
        <chakra.tr>
          <Head start>{first}</Head>
          <Head>{before}</Head>
          <Head>{after}</Head>
        </chakra.tr>
      </chakra.thead>
      <chakra.tbody>
        {rows.map(({ key, name, before, after }) => (
          <chakra.tr key={key} borderTopWidth="1px">
            <chakra.th scope="row" py="1.5" fontWeight="normal" textAlign="start">
              {name}
            </chakra.th>
            <Cell>{before}</Cell>
            <Cell strong>{after}</Cell>
          </chakra.tr>
        ))}
      </chakra.tbody>
    </chakra.table>
  );
}

function Head({ children, start = false }: { children: ReactNode; start?: boolean }) {
  return (
    <chakra.th
      scope="col"
      py="1.5"
      verticalAlign="bottom"
      fontWeight="medium"
      textAlign={start ? 'start' : 'end'}
      // The columns of a report's tables stand below each other.
      {...(!start && { ps: '4', w: { base: '20', sm: '32' } })}
    >
      {children}
    </chakra.th>
  );
}

function Cell({ children, strong = false }: { children: ReactNode; strong?: boolean }) {
  return (
    <chakra.td
      py="1.5"
      ps="4"
      textAlign="end"
      whiteSpace="nowrap"
      {...(strong && { fontWeight: 'semibold' })}
    >
      {children}
    </chakra.td>
  );
}
