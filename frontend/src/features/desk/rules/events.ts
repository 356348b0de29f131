import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { ruleKeys } from './keys';
import { foldMacro, foldRule, without } from './fold';
import type { Macro, Rule } from './types';

/** Keeps the rules of the page up to date, and their log where something was refused. */
export function useRuleEvents() {
  const client = useQueryClient();
  useCompanyEvent('rule', (event) => {
    if (event.action === 'stopped') {
      void client.invalidateQueries({ queryKey: ['desk', 'rule-runs'] });
    } else {
      changeQueries<Rule[]>(client, ruleKeys.rules, (known) =>
        event.action === 'update'
          ? foldRule(known, event.rule as Rule)
          : without(known, event.ruleId),
      );
    }
  });
}

/** Keeps the macros up to date; one that was changed is shown again before it runs. */
export function useMacroEvents() {
  const client = useQueryClient();
  useCompanyEvent('macro', (event) => {
    changeQueries<Macro[]>(client, ruleKeys.macros, (known) =>
      event.action === 'update' ? foldMacro(known, event.macro) : without(known, event.macroId),
    );
  });
}
