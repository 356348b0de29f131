import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { fileListKeys } from './keys';

/** Asks for the lists again when one of them changed; they are few. */
export function useFileListEvents() {
  const client = useQueryClient();
  useCompanyEvent('file', () => void client.invalidateQueries({ queryKey: fileListKeys.all }));
}
