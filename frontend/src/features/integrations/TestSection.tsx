import { chakra } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import { errorMessage } from '@/lib/toast';

interface TestSectionProps {
  action: string;
  test: { isPending: boolean; error: Error | null };
  onRun: () => void;
  /** Why the test cannot run now. */
  blocked?: string | false;
  outcome: { ok: boolean; text: string } | undefined;
  /** What the other side answered. */
  children: ReactNode;
}

/** A button that runs a test, and below it how the test ended. */
export function TestSection(props: TestSectionProps) {
  const { action, test, onRun, blocked, outcome, children } = props;
  return (
    <chakra.div display="flex" flexDirection="column" gap="3" alignItems="flex-start" minW="0">
      <chakra.div display="flex" alignItems="center" gap="3" flexWrap="wrap">
        <Button
          variant="outline"
          size="sm"
          icon={<FlaskConical size={16} />}
          loading={test.isPending}
          disabled={Boolean(blocked)}
          onClick={onRun}
        >
          {action}
        </Button>
        {blocked && (
          <chakra.span textStyle="xs" color="fg.muted">
            {blocked}
          </chakra.span>
        )}
      </chakra.div>
      <chakra.div role="status" w="full" textStyle="sm" display="grid" gap="2">
        {test.error && (
          <chakra.p color="status.danger.fg" overflowWrap="anywhere">
            {errorMessage(test.error)}
          </chakra.p>
        )}
        {outcome && (
          <chakra.p
            color={outcome.ok ? 'status.live.fg' : 'status.danger.fg'}
            fontWeight="medium"
            overflowWrap="anywhere"
          >
            {outcome.text}
          </chakra.p>
        )}
        {children}
      </chakra.div>
    </chakra.div>
  );
}
