import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Segmented } from '@/components/Tabs';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { useMacroEvents, useRuleEvents } from './events';
import { MacrosTab } from './MacrosTab';
import { RulesTab } from './RulesTab';
import { Runs } from './Runs';

const PARTS = ['rules', 'macros', 'log'] as const;

/** Rules, macros and what they have done; others than who changes rules have macros alone. */
export function RulesParts() {
  const { t } = useTranslation('rules');
  const [params, setParams] = useSearchParams();
  const mayChange = may(useCurrentUser(), 'rules:manage');
  useRuleEvents();
  useMacroEvents();
  const parts = mayChange ? PARTS : (['macros'] as const);
  const shown = parts.find((part) => part === params.get('part')) ?? parts[0];
  const show = (part: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.set('part', part);
      return next;
    });
  return (
    <chakra.div display="flex" flexDirection="column" gap="5" maxW="820px">
      {parts.length > 1 && (
        <Segmented
          aria-label={t('tabs.label')}
          value={shown}
          onChange={show}
          tabs={parts.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        />
      )}
      {shown === 'rules' ? (
        <RulesTab />
      ) : shown === 'macros' ? (
        <MacrosTab />
      ) : (
        <Runs ruleId={null} />
      )}
    </chakra.div>
  );
}

/** The page of rules and macros. */
export function RulesPage() {
  return (
    <chakra.div
      // Keeps the hidden inputs of switches inside the column.
      position="relative"
      flex="1"
      minH="0"
      overflowY="auto"
      px={{ base: '4', sm: '6' }}
      py="5"
      bg="bg.canvas"
    >
      <RulesParts />
    </chakra.div>
  );
}
