import { chakra } from '@chakra-ui/react';
import { QrCode } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Spinner } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { useSession } from '@/stores/session';
import { reach } from '@/theme/screens';
import { useNewCode } from './api';
import type { Connection } from './types';
import { isStuck, useOpeningClock } from './useSession';

const CODE_PX = 248;

/** The statuses with a code, or with one about to come. */
const WAITING: readonly string[] = ['OPENING', 'qrcode'];

interface QrDialogProps {
  /** The current state: the code changes every few seconds. */
  connection: Connection;
  onClose: () => void;
}

/**
 * Shows the code that links a phone; follows its changes and closes when no code is needed any
 * more.
 */
export function QrDialog({ connection, onClose }: QrDialogProps) {
  const { t } = useTranslation('connections');
  const { status, qrcode, pairingCode } = connection;
  const hasCode = qrcode !== '' || pairingCode !== '';
  const [hadCode, setHadCode] = useState(hasCode);
  const [byNumber, setByNumber] = useState(pairingCode !== '');
  const reason = useReason()(connection, connection.statusReason);
  if (hasCode && !hadCode) setHadCode(true);
  const isOver = !hasCode && status !== 'OPENING' && (hadCode || status === 'CONNECTED');

  const end = useEffectEvent(() => {
    if (status === 'CONNECTED') toast.success(t('qr.connected', { name: connection.name }));
    else if (status === 'PAIRING') toast.info(t('qr.pairing'));
    else if (reason) toast.warning(reason);
    onClose();
  });
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);

  const isSimulated = useSession((state) => state.simulatedQr);
  const way = byNumber ? 'number' : 'scan';
  return (
    <Dialog open onClose={onClose} title={t('qr.title', { name: connection.name })} size="lg">
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: '1fr', sm: '1fr auto' }}
        gap={{ base: '5', sm: '8' }}
        alignItems="center"
        py={{ sm: '4' }}
      >
        <chakra.div display="flex" flexDirection="column" alignItems="flex-start" gap="5" minW="0">
          <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="4">
            {(['open', 'menu', way] as const).map((step, index) => (
              <Step key={step} number={index + 1} text={t(`qr.steps.${step}`)} />
            ))}
          </chakra.ol>
          <Button variant="outline" size="sm" onClick={() => setByNumber(!byNumber)}>
            {t(byNumber ? 'qr.byScan' : 'qr.byNumber')}
          </Button>
          {isSimulated && (
            <chakra.p textStyle="sm" color="fg.muted">
              {t('qr.simulated')}{' '}
              <chakra.a
                href="/simulator"
                target="_blank"
                rel="noreferrer"
                fontWeight="medium"
                color="brand.fg"
                textDecoration="underline"
                css={reach}
              >
                {t('qr.openPhone')}
              </chakra.a>
            </chakra.p>
          )}
        </chakra.div>
        {byNumber ? (
          <NumberLink connection={connection} />
        ) : (
          <chakra.div
            display="flex"
            alignItems="center"
            justifyContent="center"
            justifySelf="center"
            borderWidth="1px"
            borderRadius="lg"
            // Phones can scan only dark on light, so both themes use it.
            {...(qrcode ? { bg: 'white', color: 'black' } : { bg: 'bg.subtle' })}
            w="282px"
            h="282px"
          >
            {qrcode ? (
              <QRCodeSVG
                value={qrcode}
                size={CODE_PX}
                fgColor="currentColor"
                bgColor="transparent"
                title={t('qr.code')}
                role="img"
              />
            ) : (
              <NoCode {...{ connection, reason }} />
            )}
          </chakra.div>
        )}
      </chakra.div>
    </Dialog>
  );
}

function Step({ number, text }: { number: number; text: string }) {
  return (
    <chakra.li display="flex" gap="3" alignItems="flex-start">
      <chakra.span
        aria-hidden
        flexShrink="0"
        display="inline-flex"
        alignItems="center"
        justifyContent="center"
        w="6"
        h="6"
        borderRadius="full"
        bg="brand.subtle"
        color="brand.fg"
        textStyle="sm"
        fontWeight="semibold"
      >
        {number}
      </chakra.span>
      <chakra.span textStyle="md" pt="0.5">
        {text}
      </chakra.span>
    </chakra.li>
  );
}

/** There is no code: it is being made, or the user must request one. */
function NoCode({ connection, reason }: { connection: Connection; reason: string }) {
  const { t } = useTranslation('connections');
  const renew = useNewCode();
  const isLate = isStuck(connection, useOpeningClock([connection]));
  const isComing = renew.isPending || (WAITING.includes(connection.status) && !isLate);
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      alignItems="center"
      gap="3"
      p="5"
      textAlign="center"
      textStyle="sm"
      color="fg.muted"
    >
      {isComing ? <Spinner /> : <QrCode size={32} aria-hidden />}
      <chakra.span role="status">{isComing ? t('qr.making') : reason || t('qr.none')}</chakra.span>
      {!isComing && (
        <Button
          size="sm"
          onClick={() => renew.mutate({ id: connection.id }, { onError: toast.error })}
        >
          {t('session.newQr')}
        </Button>
      )}
    </chakra.div>
  );
}

/** The minimum number of digits with the country code. */
const SHORTEST_NUMBER = 8;

/** Links with a code that is typed into the phone, for users who cannot scan. */
function NumberLink({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const [typed, setTyped] = useState('');
  const [isShort, setIsShort] = useState(false);
  const link = useNewCode();
  const { pairingCode } = connection;
  const ask = () => {
    const number = typed.replace(/\D/g, '');
    setIsShort(number.length < SHORTEST_NUMBER);
    if (number.length >= SHORTEST_NUMBER)
      link.mutate({ id: connection.id, number }, { onError: toast.error });
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      w={{ base: 'full', sm: '282px' }}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Field
        label={t('qr.number')}
        help={t('qr.numberHelp')}
        error={isShort ? t('qr.numberShort') : undefined}
      >
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="55 11 99999-9999"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit" alignSelf="flex-start" loading={link.isPending}>
        {t(pairingCode ? 'qr.numberAgain' : 'qr.numberAsk')}
      </Button>
      <chakra.div role="status">
        {pairingCode && (
          <>
            <chakra.p textStyle="sm" color="fg.muted" mb="2">
              {t('qr.numberType')}
            </chakra.p>
            <chakra.p
              fontFamily="mono"
              textStyle="2xl"
              fontWeight="semibold"
              letterSpacing="0.12em"
              p="3"
              borderRadius="md"
              bg="brand.subtle"
              color="brand.fg"
              textAlign="center"
            >
              {`${pairingCode.slice(0, 4)}-${pairingCode.slice(4)}`}
            </chakra.p>
          </>
        )}
      </chakra.div>
    </chakra.form>
  );
}
