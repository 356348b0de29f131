import { chakra } from '@chakra-ui/react';
import { ChevronRight, Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { formatPhone } from '@/lib/format';
import { ADD } from '@/lib/useAddRequest';
import { useSession } from '@/stores/session';
import { FIRST_STEPS, type FirstRun, type FirstStep } from './api';

const StepLink = chakra(Link);
const PATHS: Partial<Record<FirstStep, string>> = {
  number: '/connections',
  queues: '/queues',
  team: '/users',
};

interface FirstRunListProps {
  firstRun: FirstRun;
  /** A flat layout, for a narrow screen above a list. */
  low?: boolean;
}

/** The set-up steps of a new company, with ticks and links. */
export function FirstRunList({ firstRun, low = false }: FirstRunListProps) {
  const { t } = useTranslation('firstRun');
  const { done } = firstRun;
  const count = FIRST_STEPS.filter((step) => done[step]).length;
  return (
    <chakra.section
      aria-label={t('title')}
      display="flex"
      flexDirection="column"
      gap="4"
      w="full"
      {...(low
        ? { p: '4', bg: 'bg.surface', borderBottomWidth: '1px' }
        : { maxW: '520px', p: '6', bg: 'bg.surface', borderWidth: '1px', borderRadius: 'md' })}
    >
      <chakra.div>
        <chakra.h2 textStyle={low ? 'md' : 'lg'} fontWeight="semibold">
          {t('title')}
        </chakra.h2>
        <chakra.p role="status" textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('progress', { done: count, all: FIRST_STEPS.length })}
        </chakra.p>
      </chakra.div>
      <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="1">
        {FIRST_STEPS.map((step) => (
          <chakra.li key={step}>
            <Step step={step} low={low} firstRun={firstRun} />
          </chakra.li>
        ))}
      </chakra.ol>
      <Button variant="ghost" size="sm" alignSelf="flex-start" onClick={firstRun.putAway}>
        {t('putAway')}
      </Button>
    </chakra.section>
  );
}

interface StepProps {
  step: FirstStep;
  low: boolean;
  firstRun: FirstRun;
}

function Step({ step, low, firstRun }: StepProps) {
  const { t } = useTranslation('firstRun');
  const isDone = firstRun.done[step];
  const path = PATHS[step];
  const words = (
    <chakra.span display="flex" flexDirection="column" flex="1" minW="0">
      <chakra.span
        fontWeight="medium"
        {...(isDone && { color: 'fg.muted', textDecoration: 'line-through' })}
      >
        {t(`steps.${step}`)}
      </chakra.span>
      {!isDone && !(low && path) && (
        <chakra.span color="fg.muted">
          {step === 'message' ? <OwnMessage number={firstRun.number} /> : t(`texts.${step}`)}
        </chakra.span>
      )}
    </chakra.span>
  );
  if (isDone || !path) return <Row isDone={isDone}>{words}</Row>;
  // An existing number is opened, not added once more.
  const adds = step !== 'number' || !firstRun.hasNumber;
  return (
    <StepLink
      to={path}
      state={adds ? ADD : null}
      display="block"
      mx="-2"
      px="2"
      borderRadius="sm"
      _hover={{ bg: 'bg.subtle' }}
    >
      <Row isDone={false}>
        {words}
        <chakra.span aria-hidden display="inline-flex" mt="0.5" color="fg.muted">
          <ChevronRight size={16} />
        </chakra.span>
      </Row>
    </StepLink>
  );
}

function Row({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('firstRun');
  return (
    <chakra.span display="flex" gap="3" py="2" minH="11" alignItems="flex-start" textStyle="sm">
      <chakra.span
        role="img"
        aria-label={t(isDone ? 'done' : 'toDo')}
        display="inline-flex"
        flexShrink="0"
        color={isDone ? 'status.live.fg' : 'fg.muted'}
      >
        {isDone ? <CircleCheck size={20} /> : <Circle size={20} />}
      </chakra.span>
      {children}
    </chakra.span>
  );
}

/** The number to write to, or in the demo the simulated phone. */
function OwnMessage({ number }: { number: string }) {
  const { t } = useTranslation('firstRun');
  const isDemo = useSession((state) => state.simulator);
  if (!number) return t('texts.message');
  return (
    <>
      {t('writeTo', { number: formatPhone(number) })}{' '}
      <chakra.a
        href={isDemo ? '/simulator' : `https://wa.me/${number}`}
        target="_blank"
        rel="noreferrer"
        color="brand.fg"
        textDecoration="underline"
      >
        {t(isDemo ? 'openPhone' : 'openWhatsApp')}
      </chakra.a>
    </>
  );
}
