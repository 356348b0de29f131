import { chakra } from '@chakra-ui/react';
import { Bot, CircleAlert, UserRoundCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { useThreadControl, type Ticket } from '@/features/tickets/api';
import { ApiError } from '@/lib/api/errors';
import { errorMessage } from '@/lib/toast';
import { useReason } from '@/lib/useReason';

interface OwnerBannerProps {
  ticket: Pick<Ticket, 'id' | 'owner' | 'ownerAt'>;
  /** Whether the user may take the conversation, or give it back. */
  mayAct: boolean;
}

/**
 * Who leads the conversation, on a number where another responder ever led it: Meta's agent or a
 * partner. Takes it, or gives it back.
 */
export function OwnerBanner({ ticket, mayAct }: OwnerBannerProps) {
  const { t } = useTranslation('messages');
  const control = useThreadControl(ticket.id);
  const wordsOf = useReason();
  const { owner, ownerAt } = ticket;
  if (ownerAt === null) return null;
  const isOurs = owner === 'us';
  const Icon = isOurs ? UserRoundCheck : Bot;
  return (
    <chakra.section
      aria-label={t('owner.label')}
      flexShrink="0"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="3"
      rowGap="2"
      px={{ base: '3', sm: '5' }}
      py="2"
      bg={isOurs ? 'bg.surface' : 'status.waiting.subtle'}
      color={isOurs ? 'fg.muted' : 'fg.default'}
      borderBottomWidth="1px"
      textStyle="sm"
    >
      <chakra.span
        role="status"
        display="flex"
        alignItems="center"
        gap="2.5"
        flex="1 1 150px"
        minW="0"
      >
        <chakra.span flexShrink="0" display="flex" color={isOurs ? undefined : 'status.waiting.fg'}>
          <Icon size={18} aria-hidden />
        </chakra.span>
        {t(`owner.${owner}`)}
      </chakra.span>
      {mayAct && (
        <Button
          size="sm"
          variant="outline"
          loading={control.isPending}
          onClick={() => control.mutate(isOurs ? 'release' : 'take')}
        >
          {t(isOurs ? 'owner.release' : 'owner.take')}
        </Button>
      )}
      {control.error && (
        <chakra.span
          role="alert"
          display="flex"
          alignItems="center"
          gap="1.5"
          flexBasis="full"
          color="status.danger.fg"
          overflowWrap="anywhere"
        >
          <chakra.span flexShrink="0" display="flex">
            <CircleAlert size={16} aria-hidden />
          </chakra.span>
          {control.error instanceof ApiError && control.error.reasonCode
            ? wordsOf(control.error, control.error.message)
            : errorMessage(control.error)}
        </chakra.span>
      )}
    </chakra.section>
  );
}
