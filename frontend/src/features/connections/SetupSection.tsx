import { chakra } from '@chakra-ui/react';
import { Circle, CircleCheck, CircleHelp, CircleX, Clock, PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, Spinner } from '@/components/Button';
import { showFieldErrors } from '@/lib/forms';
import { Section } from './fields';
import type { Form } from './form';
import type { Connection, SetupCheck, SetupStep } from './types';
import { SETUP_STEPS, useSetupCheck } from './useSetupCheck';

const ICONS = {
  done: { Icon: CircleCheck, color: 'status.live.fg' },
  failed: { Icon: CircleX, color: 'status.danger.fg' },
  waiting: { Icon: Clock, color: 'status.waiting.fg' },
  unknown: { Icon: CircleHelp, color: 'fg.muted' },
} as const;

interface SetupSectionProps {
  form: Form;
  connection: Connection | undefined;
}

/** Checks the form's values at Meta before they are saved, step by step. */
export function SetupSection({ form, connection }: SetupSectionProps) {
  const { t } = useTranslation('connections');
  const [phoneNumberId, wabaId, accessToken] = form.watch([
    'phone_number_id',
    'waba_id',
    'accessToken',
  ]);
  const { checks, current, isShown, look } = useSetupCheck(
    {
      id: connection?.id ?? null,
      phone_number_id: phoneNumberId.trim(),
      waba_id: wabaId.trim(),
      accessToken: accessToken.trim(),
    },
    (error) => void showFieldErrors(form, error),
  );
  const start = async (subscribes = false) => {
    if (await form.trigger(['phone_number_id', 'waba_id'], { shouldFocus: true }))
      await look(subscribes);
  };
  return (
    <Section title={t('setup.title')} text={t('setup.text')}>
      <Button
        variant="outline"
        alignSelf="flex-start"
        icon={<PlugZap size={16} />}
        loading={current !== null}
        onClick={() => void start()}
      >
        {t('setup.action')}
      </Button>
      {isShown && (
        <chakra.ol
          aria-label={t('setup.label')}
          aria-busy={current !== null}
          listStyleType="none"
          display="flex"
          flexDirection="column"
          gap="3"
        >
          {SETUP_STEPS.map((step) => (
            <Step
              key={step}
              step={step}
              check={checks[step]}
              isCurrent={step === current}
              onSubscribe={() => void start(true)}
            />
          ))}
        </chakra.ol>
      )}
      <chakra.span srOnly role="status">
        {isShown && current === null && t('setup.ended')}
      </chakra.span>
    </Section>
  );
}

interface StepProps {
  step: SetupStep;
  /** Undefined while the answer is pending, or if the step was not checked. */
  check: SetupCheck | undefined;
  isCurrent: boolean;
  onSubscribe: () => void;
}

function Step({ step, check, isCurrent, onSubscribe }: StepProps) {
  const { t } = useTranslation('connections');
  const state = check?.state ?? (isCurrent ? 'running' : 'idle');
  const found = [check?.number, check?.name].filter(Boolean).join(' · ');
  return (
    <chakra.li data-state={state} display="flex" gap="2.5" textStyle="sm">
      <chakra.span
        role="img"
        aria-label={t(`setup.states.${state}`)}
        display="inline-flex"
        flexShrink="0"
        mt="0.5"
        color={check ? ICONS[check.state].color : 'fg.muted'}
      >
        <StateIcon check={check} isCurrent={isCurrent} />
      </chakra.span>
      <chakra.div display="flex" flexDirection="column" alignItems="flex-start" gap="1" minW="0">
        <chakra.span fontWeight="medium" color={check || isCurrent ? undefined : 'fg.muted'}>
          {t(`setup.steps.${step}`)}
        </chakra.span>
        {found && (
          <chakra.span color="fg.muted" overflowWrap="anywhere">
            {found}
          </chakra.span>
        )}
        {check && check.problem !== '' && (
          <chakra.span color="fg.muted" overflowWrap="anywhere">
            {t(`setup.problems.${check.problem}`, { detail: check.detail })}
          </chakra.span>
        )}
        {check?.problem === 'not_subscribed' && (
          <Button size="sm" variant="outline" onClick={onSubscribe}>
            {t('setup.subscribe')}
          </Button>
        )}
      </chakra.div>
    </chakra.li>
  );
}

function StateIcon({ check, isCurrent }: { check: SetupCheck | undefined; isCurrent: boolean }) {
  if (!check) return isCurrent ? <Spinner /> : <Circle size={16} />;
  const { Icon } = ICONS[check.state];
  return <Icon size={16} />;
}
