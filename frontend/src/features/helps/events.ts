import { useQueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { foldHelp } from './fold';
import { helpKeys } from './keys';
import type { Help } from './types';

/** Keeps the helps up to date without asking the server; the super user's pages are asked anew. */
export function useHelpEvents() {
  const client = useQueryClient();
  useCompanyEvent('help', (event) => {
    changeQueries<Help[]>(client, helpKeys.all, (data) => foldHelp(data, event));
    void client.invalidateQueries({ queryKey: helpKeys.pages });
  });
}
