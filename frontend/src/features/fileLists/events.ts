import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { fileListKeys } from './keys';

/** Fetches the lists again when one of them changed; there are few. */
export function useFileListEvents() {
  const client = useQueryClient();
  useCompanyEvent('file', () => void client.invalidateQueries({ queryKey: fileListKeys.all }));
}
