import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { Facts } from '@/components/Facts';
import { ErrorState, SkeletonRows } from '@/components/States';
import { formatCount, formatDay, inReais } from '@/lib/format';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { subscribedPlanQuery, useChangePlan } from './api';
import { usePaymentEvents } from './events';
import type { PlanChange, PlanUse, SubscribedPlan } from './types';

/** The plan with its use, and the change to another one (rules/billing §6). */
export function PlanSection() {
  const { t } = useTranslation('billing');
  const plan = useQuery(subscribedPlanQuery());
  usePaymentEvents();
  return (
    <chakra.section
      aria-label={t('change.title')}
      w="full"
      maxW="820px"
      p={{ base: '4', sm: '6' }}
      display="flex"
      flexDirection="column"
      gap="5"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
    >
      <chakra.h2 textStyle="md" fontWeight="semibold">
        {t('change.title')}
      </chakra.h2>
      {plan.isPending && <SkeletonRows rows={3} />}
      {plan.isError && <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && <Plans subscribed={plan.data} />}
    </chakra.section>
  );
}

function Plans({ subscribed }: { subscribed: SubscribedPlan }) {
  const { t } = useTranslation('billing');
  const navigate = useNavigate();
  const change = useChangePlan();
  const [asked, setAsked] = useState<PlanChange | null>(null);
  const { pending, offers, credit, owed, dueDate } = subscribed;
  const choose = (id: number) =>
    change.mutate(id, {
      onSuccess: (told) => toast.success(t(told.pending ? 'change.invoiced' : 'change.done')),
      onError: toast.error,
      onSettled: () => setAsked(null),
    });
  return (
    <>
      <Facts
        facts={[
          ...subscribed.use.map((use) => ({
            term: t(`change.use.${use.resource}`),
            value: <UseText use={use} />,
          })),
          ...(credit > 0 ? [{ term: t('change.credit'), value: inReais(credit) }] : []),
        ]}
      />
      {owed > 0 && (
        <chakra.p role="status" textStyle="sm" color="status.danger.fg">
          {t('change.owed', { value: inReais(owed) })}
        </chakra.p>
      )}
      {pending && (
        <chakra.div
          role="status"
          p="4"
          borderRadius="md"
          bg="bg.subtle"
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          gap="3"
        >
          <chakra.p flex="1" minW="220px" textStyle="sm">
            {t('change.pending', { detail: pending.detail, value: inReais(pending.value) })}
          </chakra.p>
          <Button
            variant="outline"
            size="sm"
            loading={change.isPending}
            onClick={() => choose(subscribed.planId)}
          >
            {t('change.giveUp')}
          </Button>
          <Button size="sm" onClick={() => void navigate(paths.invoices)}>
            {t('pay')}
          </Button>
        </chakra.div>
      )}
      {offers.length === 0 ? (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('change.bySupport')}
        </chakra.p>
      ) : (
        <chakra.ul display="flex" flexDirection="column" listStyleType="none" borderTopWidth="1px">
          {offers.map((offer) => (
            <OfferRow
              key={offer.id}
              offer={offer}
              isOwn={offer.id === subscribed.planId}
              isTrial={subscribed.isTrial}
              onChoose={() => setAsked(offer)}
            />
          ))}
        </chakra.ul>
      )}
      {asked && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={t('change.confirm', { name: asked.name })}
          confirmLabel={t(asked.toPay ? 'change.makeInvoice' : 'change.choose')}
          calm
          loading={change.isPending}
          onConfirm={() => choose(asked.id)}
        >
          {asked.toPay
            ? t('change.toPayText', { value: inReais(asked.toPay), date: formatDay(dueDate) })
            : asked.credit
              ? t('change.creditText', { value: inReais(asked.credit), date: formatDay(dueDate) })
              : t('change.freeText')}
        </ConfirmDialog>
      )}
    </>
  );
}

interface OfferRowProps {
  offer: PlanChange;
  isOwn: boolean;
  isTrial: boolean;
  onChoose: () => void;
}

function OfferRow({ offer, isOwn, isTrial, onChoose }: OfferRowProps) {
  const { t } = useTranslation('billing');
  const tooMuch = offer.exceeded.map(({ resource, used, allowed }) =>
    t('change.exceeded', {
      what: t(`change.use.${resource}`),
      used: formatCount(used),
      allowed: formatCount(allowed),
    }),
  );
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      py="3"
      borderBottomWidth="1px"
    >
      <chakra.div flex="1" minW="200px">
        <chakra.p fontWeight="semibold" overflowWrap="anywhere">
          {offer.name}
        </chakra.p>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('plan.monthly', { price: inReais(offer.value) })}
        </chakra.p>
        {!isOwn && tooMuch.length > 0 && (
          <chakra.p textStyle="sm" color="status.danger.fg">
            {tooMuch.join(' ')}
          </chakra.p>
        )}
        {!isOwn && tooMuch.length === 0 && !isTrial && (
          <chakra.p textStyle="sm">
            {offer.toPay > 0 && t('change.toPay', { value: inReais(offer.toPay) })}
            {offer.credit > 0 && t('change.credited', { value: inReais(offer.credit) })}
          </chakra.p>
        )}
      </chakra.div>
      {isOwn ? (
        <Badge tone="live" h="5" px="2">
          {t('change.own')}
        </Badge>
      ) : (
        <Button
          variant="outline"
          size="sm"
          aria-label={t('change.chooseOne', { name: offer.name })}
          disabled={tooMuch.length > 0}
          onClick={onChoose}
        >
          {t('change.choose')}
        </Button>
      )}
    </chakra.li>
  );
}

function UseText({ use }: { use: PlanUse }) {
  const { t } = useTranslation('billing');
  const used = formatCount(use.used);
  return use.allowed
    ? t('change.of', { used, allowed: formatCount(use.allowed) })
    : t('change.noLimit', { used });
}
