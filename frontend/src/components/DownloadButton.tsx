import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '@/lib/download';
import { toast } from '@/lib/toast';
import { Button } from './Button';

interface DownloadButtonProps {
  label: string;
  /** Requests the file from the server. */
  fetchFile: () => Promise<Blob>;
  /** The name of the saved file. */
  fileName: string;
}

/** Fetches and saves a file; reports a failure. */
export function DownloadButton({ label, fetchFile, fileName }: DownloadButtonProps) {
  const [isFetching, setFetching] = useState(false);

  async function download() {
    setFetching(true);
    try {
      saveFile(await fetchFile(), fileName);
    } catch (error) {
      toast.error(error);
    } finally {
      setFetching(false);
    }
  }

  return (
    <Button
      variant="outline"
      icon={<Download size={16} />}
      loading={isFetching}
      onClick={() => void download()}
    >
      {label}
    </Button>
  );
}
