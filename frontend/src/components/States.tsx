import { chakra } from '@chakra-ui/react';
import { CircleAlert, Inbox, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/lib/api/errors';
import { errorMessage } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { skeletonRecipe } from '@/theme/recipes/controls';
import { Button, Spinner } from './Button';

interface MessageProps {
  icon: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  danger?: boolean;
}

function Message({ icon, title, text, action, danger = false }: MessageProps) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      flex="1"
      minH="240px"
      p="6"
      textAlign="center"
    >
      <chakra.span
        aria-hidden
        display="flex"
        alignItems="center"
        justifyContent="center"
        w="12"
        h="12"
        mb="6"
        borderRadius="lg"
        bg={danger ? 'status.danger.subtle' : 'bg.subtle'}
        color={danger ? 'status.danger.fg' : 'fg.muted'}
      >
        {icon}
      </chakra.span>
      <chakra.h2 textStyle="md" fontWeight="semibold" maxW="36ch">
        {title}
      </chakra.h2>
      {text && (
        <chakra.p mt="1" textStyle="sm" color="fg.muted" maxW="44ch">
          {text}
        </chakra.p>
      )}
      {action && <chakra.div mt="4">{action}</chakra.div>}
    </chakra.div>
  );
}

interface EmptyStateProps {
  title?: ReactNode;
  text?: ReactNode;
  /** The one action that is offered. */
  action?: ReactNode;
  icon?: ReactNode;
}

/** An empty list: one sentence and one action. */
export function EmptyState({ title, icon = <Inbox size={20} />, ...props }: EmptyStateProps) {
  const { t } = useTranslation();
  return <Message icon={icon} title={title ?? t('empty.title')} {...props} />;
}

interface ErrorStateProps {
  error: unknown;
  title?: ReactNode;
  onRetry: () => void;
}

/** An error message with a retry button. */
export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const reason = useReason();
  const words = errorMessage(error);
  return (
    <chakra.div role="alert" display="flex" flex="1">
      <Message
        danger
        icon={<CircleAlert size={20} />}
        title={title ?? t('error.title')}
        text={error instanceof ApiError ? reason(error, words) : words}
        action={
          <Button variant="outline" size="sm" icon={<RotateCw size={16} />} onClick={onRetry}>
            {t('actions.retry')}
          </Button>
        }
      />
    </chakra.div>
  );
}

/** A grey placeholder; set its w and h. */
export const Skeleton = chakra('span', skeletonRecipe, { defaultProps: { 'aria-hidden': true } });

interface SkeletonFieldsProps {
  heights?: readonly string[];
  p?: string;
}

/** Placeholder fields of a form, one above the other. */
export function SkeletonFields({ heights = ['9', '9', '9'], p = '0' }: SkeletonFieldsProps) {
  const { t } = useTranslation();
  return (
    <chakra.div
      role="status"
      aria-label={t('loading')}
      display="flex"
      flexDirection="column"
      gap="4"
      p={p}
    >
      {heights.map((height, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </chakra.div>
  );
}

/** Placeholder rows of a list: picture, two lines, time. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <chakra.div role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <chakra.div
          key={row}
          display="flex"
          gap="3"
          h="18"
          px="4"
          py="3"
          style={{ opacity: 1 - row / (rows + 2) }}
        >
          <Skeleton w="10" h="10" borderRadius="full" flexShrink="0" />
          <chakra.div flex="1" display="flex" flexDirection="column" gap="2">
            <Skeleton h="3" style={{ width: `${40 + ((row * 17) % 30)}%` }} />
            <Skeleton h="2.5" style={{ width: `${60 + ((row * 23) % 30)}%` }} />
            <Skeleton h="2.5" w="25%" />
          </chakra.div>
          <Skeleton w="8" h="3" />
        </chakra.div>
      ))}
    </chakra.div>
  );
}

/** The end of a list whose next page is loading; `label` names the items. */
export function LoadingMore({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <chakra.div
      display="flex"
      justifyContent="center"
      p="3"
      color="fg.muted"
      role="status"
      aria-label={label ?? t('loadingMore')}
    >
      <Spinner />
    </chakra.div>
  );
}
