import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { foldHelp } from './fold';
import { helpKeys } from './keys';
import type { Help } from './types';

/** Keeps the helps up to date without a request; the super user's pages are fetched again. */
export function useHelpEvents() {
  const client = useQueryClient();
  useCompanyEvent('help', (event) => {
    changeQueries<Help[]>(client, helpKeys.all, (data) => foldHelp(data, event));
    void client.invalidateQueries({ queryKey: helpKeys.pages });
  });
}
