import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, RotateCw, TimerOff } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button, Spinner } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { refreshSession } from '@/lib/api/client';
import { formatDay, inReais } from '@/lib/format';
import { useCompanyEvent } from '@/lib/socket';
import { paths } from '@/routes/paths';
import { useSession } from '@/stores/session';
import { awaitedInvoiceQuery } from './api';
import { timeLeft } from './standing';
import type { PixCharge } from './types';

const CODE_PX = 232;
/** How long the success message shows before the redirect. */
const HOME_MS = 4000;

interface PixScreenProps {
  charge: PixCharge;
  /** Requests a new code. */
  onAgain: () => void;
  isBusy: boolean;
}

/** The Pix code, until it is paid or expires. */
export function PixScreen({ charge, onAgain, isBusy }: PixScreenProps) {
  const { t } = useTranslation('billing');
  const invoice = useQuery(awaitedInvoiceQuery(charge.invoiceId));
  const [dueDate, setDueDate] = useState<string | null>(null);
  useCompanyEvent('payment', (event) => {
    if (event.action === 'CONCLUIDA') setDueDate(event.company.dueDate);
  });
  const isPaid = charge.isPaid || invoice.data?.status === 'paid';
  const takeUp = useEffectEvent(() => {
    // The overdue company's shell would unmount with its session: the message must be readable
    // first.
    if (useSession.getState().overdueSince !== null) return;
    refreshSession().then(
      () => setDueDate(useSession.getState().user?.company.dueDate ?? ''),
      () => setDueDate(''),
    );
  });
  useEffect(() => {
    if (isPaid) takeUp();
  }, [isPaid]);
  const left = useTimeLeft(charge.expiresAt);
  const received = invoice.data?.received ?? 0;

  if (dueDate !== null || isPaid) return <Renewed dueDate={dueDate ?? ''} />;
  if (invoice.data?.status === 'cancelled') {
    return (
      <Notice icon={<Ban size={20} />} title={t('pix.cancelled')} text={t('pix.cancelledText')} />
    );
  }
  if (left === null) {
    return (
      <Notice icon={<TimerOff size={20} />} title={t('pix.expired')} text={t('pix.expiredText')}>
        <Button icon={<RotateCw size={16} />} loading={isBusy} onClick={onAgain}>
          {t('pix.again')}
        </Button>
      </Notice>
    );
  }
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: '1fr', sm: 'auto 1fr' }}
      gap={{ base: '5', sm: '8' }}
      alignItems="center"
    >
      <chakra.div
        p="4"
        borderRadius="lg"
        borderWidth="1px"
        // Phones can scan only dark on light, so both themes use it.
        bg="white"
        color="black"
        justifySelf="center"
        lineHeight="0"
      >
        <QRCodeSVG
          value={charge.qrcode.qrcode}
          size={CODE_PX}
          fgColor="currentColor"
          bgColor="transparent"
          title={t('pix.code')}
          role="img"
        />
      </chakra.div>
      <chakra.div display="flex" flexDirection="column" gap="4" minW="0">
        <chakra.p textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {inReais(Number(charge.valor.original))}
        </chakra.p>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('pix.how')}
        </chakra.p>
        <chakra.div maxH="28" overflowY="auto">
          <CopyLine text={charge.qrcode.qrcode} label={t('pix.copy')} />
        </chakra.div>
        {received > 0 && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {t('pix.partial', { value: inReais(received) })}
          </chakra.p>
        )}
        <chakra.p role="status" display="flex" alignItems="center" gap="2" textStyle="sm">
          <Spinner />
          {t(charge.isConfirmedByHand ? 'pix.waitingByHand' : 'pix.waiting')}
        </chakra.p>
        {left !== undefined && (
          <chakra.p textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('pix.left', { time: left })}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}

/** The remaining time, updated each second; undefined without an expiry, null after it. */
function useTimeLeft(expiresAt: string | null): string | null | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (expiresAt === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [expiresAt]);
  return expiresAt === null ? undefined : timeLeft(expiresAt, now);
}

function Renewed({ dueDate }: { dueDate: string }) {
  const { t } = useTranslation('billing');
  const navigate = useNavigate();
  const goHome = useEffectEvent(() => {
    // A session that allowed only paying is renewed first.
    const home = () => void navigate(paths.home);
    refreshSession().then(home, home);
  });
  useEffect(() => {
    const timer = setTimeout(() => goHome(), HOME_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <chakra.div role="status">
      <Notice
        icon={<CircleCheck size={20} />}
        title={dueDate ? t('pix.renewed', { date: formatDay(dueDate) }) : t('pix.paid')}
        text={t('pix.goingHome')}
      />
    </chakra.div>
  );
}

interface NoticeProps {
  icon: React.ReactNode;
  title: string;
  text: string;
  children?: React.ReactNode;
}

function Notice({ icon, title, text, children }: NoticeProps) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="2"
      minH="264px"
      textAlign="center"
    >
      <chakra.span color="fg.muted" aria-hidden>
        {icon}
      </chakra.span>
      <chakra.p textStyle="md" fontWeight="semibold">
        {title}
      </chakra.p>
      <chakra.p textStyle="sm" color="fg.muted" maxW="44ch">
        {text}
      </chakra.p>
      {children && <chakra.div mt="2">{children}</chakra.div>}
    </chakra.div>
  );
}
