import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { ErrorState, EmptyState, SkeletonRows } from '@/components/States';
import { toast } from '@/lib/toast';
import { checkoutQuery, useSubscribe } from './api';
import { PayerStep } from './PayerStep';
import { PixScreen } from './PixScreen';
import { PlanStep } from './PlanStep';
import { ReviewStep } from './ReviewStep';
import { payerSchema, type PayerForm } from './schemas';
import { Steps } from './Steps';
import type { Checkout, Invoice, PixCharge } from './types';

const STEPS = ['payer', 'plan', 'review'] as const;
type Step = (typeof STEPS)[number];

/** Pays an invoice: plan, review, then the Pix code (rules/billing §2). */
export function CheckoutDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation('billing');
  const checkout = useQuery(checkoutQuery());
  const title = t('checkout.title');
  if (checkout.data && (checkout.data.plans.length || invoice.kind === 'change')) {
    return <Paying invoice={invoice} checkout={checkout.data} onClose={onClose} />;
  }
  return (
    <Dialog open size="lg" title={title} onClose={onClose}>
      {checkout.isPending && <SkeletonRows rows={3} />}
      {checkout.isError && (
        <ErrorState error={checkout.error} onRetry={() => void checkout.refetch()} />
      )}
      {checkout.data && <EmptyState title={t('checkout.noPlans')} />}
    </Dialog>
  );
}

interface PayingProps {
  invoice: Invoice;
  checkout: Checkout;
  onClose: () => void;
}

function Paying({ invoice, checkout, onClose }: PayingProps) {
  const { t } = useTranslation(['billing', 'common']);
  // The choice stays when the plans are fetched again.
  const [offers] = useState(checkout.plans);
  const [planId, setPlanId] = useState(
    offers.find(({ id }) => id === checkout.planId)?.id ?? offers[0]?.id,
  );
  // A change of plan has its plan: there is nothing to choose.
  const isChange = invoice.kind === 'change';
  const [step, setStep] = useState<Step>(isChange ? 'review' : 'plan');
  const [charge, setCharge] = useState<PixCharge | null>(null);
  const form = useForm<PayerForm>({
    resolver: zodResolver(payerSchema),
    defaultValues: payerOf(checkout),
  });
  const subscribe = useSubscribe();
  const offer = isChange ? null : offers.find(({ id }) => id === planId);

  const pay = () => {
    if (offer === undefined) return;
    // The server does not store the country: fields that it does not read are not sent.
    const { firstName, address2, city, state, zipcode } = form.getValues();
    subscribe.mutate(
      {
        invoiceId: invoice.id,
        ...(offer && { plan: { id: offer.id } }),
        firstName,
        address2,
        city,
        state,
        zipcode,
      },
      {
        onSuccess: (made) => {
          setCharge(made);
          toast.success(t(made.isPaid ? 'pix.paid' : 'checkout.done'));
        },
        onError: (error) => toast.error(error),
      },
    );
  };
  const go = useSteps(step, setStep, form);

  if (charge) {
    return (
      <Dialog open size="lg" title={t('pix.title')} onClose={onClose}>
        <PixScreen key={charge.txid} charge={charge} onAgain={pay} isBusy={subscribe.isPending} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      size="lg"
      title={t('checkout.title')}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (step === 'review') pay();
        else void go.on();
      }}
      footer={
        <>
          {step !== 'payer' && !isChange && (
            <Button variant="outline" onClick={go.back} disabled={subscribe.isPending}>
              {t('common:actions.back')}
            </Button>
          )}
          <Button
            type="submit"
            loading={subscribe.isPending}
            disabled={step === 'review' && !checkout.isAvailable && !checkout.credit}
          >
            {step === 'review' ? t('pay') : t('checkout.next')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="6">
        {!isChange && (
          <Steps
            label={t('checkout.progress')}
            steps={STEPS.map((each) => t(`checkout.steps.${each}`))}
            present={STEPS.indexOf(step)}
          />
        )}
        {step === 'payer' && <PayerStep form={form} />}
        {step === 'plan' && (
          <PlanStep
            offers={offers}
            ownId={checkout.planId}
            months={checkout.months}
            value={planId}
            onChange={setPlanId}
          />
        )}
        {step === 'review' && offer !== undefined && (
          <ReviewStep
            offer={offer}
            invoice={invoice}
            credit={checkout.credit}
            owed={checkout.owed}
            months={checkout.months}
            payer={form.getValues()}
            isAvailable={checkout.isAvailable}
          />
        )}
      </chakra.div>
    </Dialog>
  );
}

function payerOf({ firstName, address2, city, state, zipcode }: Checkout): PayerForm {
  return { firstName, address2, city, state, zipcode, country: 'BR' };
}

/** Moves between the steps; validates the payer before leaving that step. */
function useSteps(step: Step, setStep: (step: Step) => void, form: UseFormReturn<PayerForm>) {
  const focusStep = useEffectEvent(() => {
    const active = document.activeElement;
    // The pressed button may be gone: the focus stays in the dialog for keyboard users.
    if (active === document.body) document.querySelector<HTMLElement>('[role=dialog]')?.focus();
  });
  useEffect(() => focusStep(), [step]);
  return {
    on: async () => {
      if (step === 'payer' && !(await form.trigger())) return;
      setStep(step === 'payer' ? 'plan' : 'review');
    },
    back: () => setStep(step === 'review' ? 'plan' : 'payer'),
  };
}
