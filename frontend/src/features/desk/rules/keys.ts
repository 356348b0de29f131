export const ruleKeys = {
  rules: ['desk', 'rules'] as const,
  runs: (ruleId: number | null) => ['desk', 'rule-runs', ruleId] as const,
  macros: ['desk', 'macros'] as const,
};
