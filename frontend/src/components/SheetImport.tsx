import { chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sheetPreviewKey, type SheetLayout } from '@/lib/sheets';
import { errorMessage } from '@/lib/toast';
import { SheetDrop } from './SheetDrop';
import { SheetPreview, type SheetPreviewProps } from './SheetPreview';

interface SheetImportProps extends Pick<
  SheetPreviewProps,
  'fields' | 'isComplete' | 'incomplete' | 'repeated' | 'query'
> {
  /** What a file should have. */
  text: string;
  /** A sheet to fill in. */
  example: { address: string; name: string };
  /** The chosen file, which the dialog keeps because its width depends on it. */
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  send: (file: File, layout: SheetLayout, onProgress: (share: number) => void) => Promise<unknown>;
}

/** Chooses a sheet, shows its columns and first rows, and then sends it. */
export function SheetImport(props: SheetImportProps) {
  const { text, example, file, onFile, send, ...preview } = props;
  const { t } = useTranslation('sheets');
  const client = useQueryClient();
  const [isReading, setReading] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState('');

  async function choose(picked: File) {
    setRefusal('');
    setReading(true);
    client.removeQueries({ queryKey: sheetPreviewKey });
    try {
      await client.query(preview.query(picked, undefined));
      onFile(picked);
    } catch (error) {
      setRefusal(errorMessage(error));
    } finally {
      setReading(false);
    }
  }

  async function submit(picked: File, layout: SheetLayout) {
    setShare(0);
    try {
      await send(picked, layout, setShare);
    } catch (error) {
      setRefusal(errorMessage(error));
    } finally {
      onFile(undefined);
      setShare(null);
    }
  }

  if (file)
    return (
      <SheetPreview
        {...preview}
        file={file}
        share={share}
        onBack={() => onFile(undefined)}
        onImport={(layout) => void submit(file, layout)}
      />
    );
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.p textStyle="sm" color="fg.muted">
        {text}
      </chakra.p>
      <SheetDrop
        progress={isReading ? t('reading') : ''}
        onFile={(picked) => void choose(picked)}
        refusal={refusal}
        example={example}
      />
    </chakra.div>
  );
}
