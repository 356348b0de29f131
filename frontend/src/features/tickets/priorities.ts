/** The priorities in the order of their keys, 1 to 4 (rules/tickets §17). */
export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;
