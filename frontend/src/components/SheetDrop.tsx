import { chakra } from '@chakra-ui/react';
import { Download, FileSpreadsheet } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { touch } from '@/theme/screens';
import { Button } from './Button';

interface SheetDropProps {
  /** What is done with a file, instead of the accepted files; '' if nothing is. */
  progress: string;
  onFile: (file: File) => void;
  /** Why the last file was refused. */
  refusal: ReactNode;
  example: { address: string; name: string };
}

/** Accepts a sheet by file chooser or drop, and offers a blank one to fill in. */
export function SheetDrop(props: SheetDropProps) {
  const { progress, onFile, refusal, example } = props;
  const { t } = useTranslation('sheets');
  const picker = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file && !progress) onFile(file);
  };
  return (
    <>
      <chakra.div
        display="flex"
        flexDirection="column"
        alignItems="center"
        gap="3"
        p="6"
        borderRadius="md"
        border="2px dashed"
        borderColor={isOver ? 'brand.fg' : 'border.strong'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        <FileSpreadsheet size={20} aria-hidden />
        <Button
          loading={progress !== ''}
          onClick={() => picker.current?.click()}
          aria-describedby={helpId}
        >
          {t('choose')}
        </Button>
        <chakra.p id={helpId} textStyle="xs" color="fg.muted" textAlign="center">
          {progress || t('help')}
        </chakra.p>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,.xls,.xlsx"
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </chakra.div>
      {refusal && (
        <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
          {refusal}
        </chakra.p>
      )}
      <chakra.a
        href={example.address}
        download={example.name}
        display="inline-flex"
        alignItems="center"
        gap="2"
        alignSelf="flex-start"
        textStyle="sm"
        color="brand.fg"
        minH="8"
        css={{ [touch]: { minH: '11' } }}
      >
        <Download size={16} aria-hidden />
        {t('example')}
      </chakra.a>
    </>
  );
}
