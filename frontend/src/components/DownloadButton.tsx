import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '@/lib/download';
import { toast } from '@/lib/toast';
import { Button } from './Button';

interface DownloadButtonProps {
  label: string;
  /** Has the server make the file. */
  fetchFile: () => Promise<Blob>;
  /** What it is called where it is kept. */
  fileName: string;
}

/** Fetches a file and keeps it; says why where that fails. */
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
