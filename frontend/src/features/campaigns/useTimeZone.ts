import { useSetting } from '@/features/settings/api';

/** The company's time zone, which its campaigns use. */
export const useTimeZone = () => useSetting('timeZone') || 'America/Sao_Paulo';
