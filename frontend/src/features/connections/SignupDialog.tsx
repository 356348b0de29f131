import { chakra } from '@chakra-ui/react';
import { Circle, CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Spinner } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { RadioCards } from '@/components/RadioCards';
import { TextInput } from '@/components/TextInput';
import { ApiError } from '@/lib/api/errors';
import { errorMessage, toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useSignUp } from './api';
import {
  loadSdk,
  openWindow,
  WindowEnded,
  type SignupGift,
  type WindowProblem,
} from './signupWindow';
import type { SignedUp, SignupOffer } from './types';

/** The steps after the window, as the server names them. */
const STEPS = ['code', 'number', 'subscription', 'registration'] as const;
const WAYS = ['here', 'phone'] as const;
const PIN = /^\d{6}$/;

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

interface SignupDialogProps {
  offer: SignupOffer;
  onClose: () => void;
}

/**
 * Connects a number with Meta's embedded signup: a choice, Meta's window, and the steps after it.
 */
export function SignupDialog({ offer, onClose }: SignupDialogProps) {
  const { t } = useTranslation(['connections', 'errors']);
  const [way, setWay] = useState<string>(WAYS[0]);
  const [pin, setPin] = useState('');
  const [isPinWrong, setPinWrong] = useState(false);
  const [sdk, setSdk] = useState<Sdk | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [ended, setEnded] = useState<{ problem: WindowProblem; words: string } | null>(null);
  const [gift, setGift] = useState<SignupGift | null>(null);
  const signUp = useSignUp();
  const { error, isPending } = signUp;
  // The answer may contain the PIN, which is shown only once.
  useUnsaved(isPending);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const endWith = (why: unknown) =>
    setEnded(why instanceof WindowEnded ? why : { problem: 'failed', words: '' });

  useEffect(() => {
    let isGone = false;
    loadSdk(offer).then(
      (loaded) => !isGone && setSdk(loaded),
      (why: unknown) => !isGone && endWith(why),
    );
    return () => {
      isGone = true;
    };
  }, [offer]);

  const connect = (given: SignupGift) => {
    setGift(given);
    signUp.mutate(
      {
        code: given.code,
        waba_id: given.wabaId,
        phone_number_id: given.phoneNumberId,
        coexistence: given.coexistence,
        pin: given.coexistence ? '' : pin,
      },
      {
        onSuccess: ({ connection, pin: made }) => {
          if (made) return;
          toast.success(t(`signup.done.${stateOf(connection.status)}`, { name: connection.name }));
          if (connection.queues.length > 0)
            toast.note(t('signup.leadsTo', { queues: namesOf(connection) }));
          onClose();
        },
      },
    );
  };
  const checkPin = () => {
    const isGood = pin === '' || PIN.test(pin);
    setPinWrong(!isGood);
    return isGood;
  };
  const start = async () => {
    if (!sdk || !checkPin()) return;
    setEnded(null);
    setGift(null);
    signUp.reset();
    setOpen(true);
    const { signal } = (leaving.current = new AbortController());
    try {
      const given = await openWindow(sdk, offer, way === 'phone', signal);
      if (!signal.aborted) connect(given);
    } catch (why) {
      endWith(why);
    } finally {
      setOpen(false);
    }
  };
  const again = () => {
    if (gift && checkPin()) connect(gift);
  };

  if (signUp.data) return <MadePin done={signUp.data} onClose={onClose} />;
  const mayRetry = gift !== null && error !== null && canRetry(error);
  const isBusy = isOpen || isPending;
  const pinField = (
    <Field
      label={t('signup.pin')}
      help={t('signup.pinHelp')}
      error={isPinWrong ? t('errors:field.pin') : undefined}
    >
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        fontVariantNumeric="tabular-nums"
        w="32"
        value={pin}
        onChange={({ target }) => setPin(target.value.replace(/\D/g, ''))}
      />
    </Field>
  );
  return (
    <Dialog
      open
      onClose={() => !isPending && onClose()}
      title={t('signup.title')}
      dirty={!isPending && (isOpen || gift !== null || pin !== '' || way !== WAYS[0])}
      footer={
        <>
          <CancelButton disabled={isPending} />
          {mayRetry && (
            <Button variant="outline" onClick={() => void start()} disabled={isBusy}>
              {t('signup.openAgain')}
            </Button>
          )}
          {mayRetry ? (
            <Button onClick={again} loading={isBusy}>
              {t('signup.again')}
            </Button>
          ) : (
            <Button
              onClick={() => void start()}
              loading={isBusy || (sdk === null && ended === null)}
              disabled={sdk === null && ended !== null}
            >
              {t(error || ended ? 'signup.openAgain' : 'signup.open')}
            </Button>
          )}
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        {gift ? (
          <Steps error={error} />
        ) : (
          <Choice way={way} onChange={setWay}>
            {way === 'here' && pinField}
          </Choice>
        )}
        {isOpen && (
          <chakra.p role="status" display="flex" gap="2.5" textStyle="sm" alignItems="center">
            <Spinner />
            {t('signup.waiting')}
          </chakra.p>
        )}
        {ended && (
          <Notice>
            {t(`signup.ended.${ended.problem}`, {
              context: ended.words && 'words',
              words: ended.words,
            })}
          </Notice>
        )}
        {error && <Notice>{errorMessage(error)}</Notice>}
        {mayRetry && !gift.coexistence && stepOf(error) === 'registration' && pinField}
      </chakra.div>
    </Dialog>
  );
}

/** The failed step; undefined if the refusal names none. */
const stepOf = (error: unknown) => (error instanceof ApiError ? error.body.step : undefined);

/** Whether the same code may be sent again: unless the server says it may not. */
const canRetry = (error: unknown) => !(error instanceof ApiError) || error.body.canRetry !== false;

interface ChoiceProps {
  way: string;
  onChange: (way: string) => void;
  children: React.ReactNode;
}

/** The choice where the number will be used; Meta asks for the rest. */
function Choice({ way, onChange, children }: ChoiceProps) {
  const { t } = useTranslation('connections');
  const label = useId();
  const help = useId();
  return (
    <>
      <chakra.p id={help} textStyle="sm" color="fg.muted">
        {t('signup.text')}
      </chakra.p>
      <chakra.div display="flex" flexDirection="column" gap="2">
        <chakra.span id={label} textStyle="sm" fontWeight="semibold">
          {t('signup.where')}
        </chakra.span>
        <RadioCards
          name="way"
          labelledBy={label}
          describedBy={help}
          value={way}
          onChange={onChange}
          choices={WAYS.map((value) => ({
            value,
            label: t(`signup.ways.${value}`),
            help: t(`signup.ways.${value}Help`),
          }))}
        />
      </chakra.div>
      {children}
    </>
  );
}

/** The steps: done, failed, and remaining. */
function Steps({ error }: { error: unknown }) {
  const { t } = useTranslation('connections');
  const failed = STEPS.findIndex((step) => step === stepOf(error));
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      {!error && (
        <chakra.p role="status" display="flex" gap="2.5" textStyle="sm" alignItems="center">
          <Spinner />
          {t('signup.connecting')}
        </chakra.p>
      )}
      {failed >= 0 && (
        <chakra.ol
          aria-label={t('signup.steps.label')}
          listStyleType="none"
          display="flex"
          flexDirection="column"
          gap="2.5"
          textStyle="sm"
        >
          {STEPS.map((step, index) => {
            const state = index < failed ? 'done' : index === failed ? 'failed' : 'idle';
            const { Icon, color } = ICONS[state];
            return (
              <chakra.li key={step} display="flex" gap="2.5" alignItems="center">
                <chakra.span
                  role="img"
                  aria-label={t(`setup.states.${state}`)}
                  display="inline-flex"
                  color={color}
                >
                  <Icon size={16} />
                </chakra.span>
                <chakra.span color={state === 'idle' ? 'fg.muted' : undefined}>
                  {t(`signup.steps.${step}`)}
                </chakra.span>
              </chakra.li>
            );
          })}
        </chakra.ol>
      )}
    </chakra.div>
  );
}

const ICONS = {
  done: { Icon: CircleCheck, color: 'status.live.fg' },
  failed: { Icon: CircleX, color: 'status.danger.fg' },
  idle: { Icon: Circle, color: 'fg.muted' },
} as const;

function Notice({ children }: { children: string }) {
  return (
    <chakra.p
      role="alert"
      p="3"
      borderRadius="md"
      bg="status.waiting.subtle"
      color="status.waiting.fg"
      textStyle="sm"
      overflowWrap="anywhere"
    >
      {children}
    </chakra.p>
  );
}

/** The result: the number may be added but not connected; the table then shows why. */
const stateOf = (status: string) =>
  status === 'CONNECTED' ? 'connected' : status === 'DISCONNECTED' ? 'down' : 'checking';

const namesOf = ({ queues }: SignedUp['connection']) => queues.map(({ name }) => name).join(', ');

/** The number's new PIN: it is not stored anywhere, so the user must keep it. */
function MadePin({ done, onClose }: { done: SignedUp; onClose: () => void }) {
  const { t } = useTranslation('connections');
  const { connection } = done;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`signup.done.${stateOf(connection.status)}`, { name: connection.name })}
      footer={<Button onClick={onClose}>{t('signup.kept')}</Button>}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.p textStyle="sm">{t('signup.madePin')}</chakra.p>
        {connection.queues.length > 0 && (
          <chakra.p textStyle="sm" color="fg.muted">
            {t('signup.leadsTo', { queues: namesOf(connection) })}
          </chakra.p>
        )}
        <CopyLine text={done.pin} label={t('signup.copyPin')} />
      </chakra.div>
    </Dialog>
  );
}
