import { useSetting } from '@/features/settings/api';

/** The company's zone, in which its campaigns have their times. */
export const useTimeZone = () => useSetting('timeZone') || 'America/Sao_Paulo';
