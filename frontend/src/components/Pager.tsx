import { chakra } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pageNumbers } from '@/lib/pages';
import { Button } from './Button';
import { IconButton } from './IconButton';

interface PagerProps {
  current: number;
  last: number;
  onPage: (number: number) => void;
}

/** Page number buttons; nothing if there is only one page. */
export function Pager({ current, last, onPage }: PagerProps) {
  const { t } = useTranslation();
  if (last < 2) return null;
  return (
    <chakra.nav
      aria-label={t('pager.label')}
      display="flex"
      flexWrap="wrap"
      justifyContent="center"
      alignItems="center"
      gap="1"
    >
      <IconButton
        label={t('pager.previous')}
        icon={<ChevronLeft size={16} />}
        disabled={current === 1}
        onClick={() => onPage(current - 1)}
      />
      {pageNumbers(current, last).map((number, index) =>
        number === 0 ? (
          <chakra.span key={`gap-${index}`} px="1" color="fg.muted" aria-hidden>
            …
          </chakra.span>
        ) : (
          <Button
            key={number}
            variant={number === current ? 'solid' : 'ghost'}
            minW={{ base: '11', sm: '9' }}
            minH={{ base: '11', sm: '9' }}
            px="2"
            fontVariantNumeric="tabular-nums"
            aria-label={t('pager.page', { number })}
            aria-current={number === current ? 'page' : undefined}
            onClick={() => onPage(number)}
          >
            {number}
          </Button>
        ),
      )}
      <IconButton
        label={t('pager.next')}
        icon={<ChevronRight size={16} />}
        disabled={current === last}
        onClick={() => onPage(current + 1)}
      />
    </chakra.nav>
  );
}
