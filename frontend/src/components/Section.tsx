import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { errorMessage } from '@/lib/toast';

interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled part of the drawer. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <chakra.section aria-label={title} px="5" py="3.5" css={{ '& + &': { borderTopWidth: '1px' } }}>
      <chakra.div display="flex" alignItems="center" minH="6" gap="2" mb="1.5">
        <chakra.h3 textStyle="sm" fontWeight="semibold" flex="1">
          {title}
        </chakra.h3>
        {aside}
      </chakra.div>
      {children}
    </chakra.section>
  );
}

/** A compact error message with a retry button. */
export function SmallError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <chakra.div role="alert" display="flex" flexDirection="column" alignItems="flex-start" gap="2">
      <chakra.p textStyle="sm" color="status.danger.fg">
        {errorMessage(error)}
      </chakra.p>
      <Button variant="outline" size="sm" icon={<RotateCw size={16} />} onClick={onRetry}>
        {t('actions.retry')}
      </Button>
    </chakra.div>
  );
}

/** A short sentence for an empty list. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return (
    <chakra.p textStyle="sm" color="fg.muted">
      {children}
    </chakra.p>
  );
}
