import { chakra } from '@chakra-ui/react';
import { FileText, Image, Mic, Plus, Video, X, type LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { TextInput } from '@/components/TextInput';
import { fileAddress, kindOfMime, MAX_FILES, refusalOf, type FileKind } from '@/lib/files';
import { formatBytes } from '@/lib/format';
import { touch } from '@/theme/screens';
import type { FileListItem } from './types';

const ICONS: Record<FileKind, LucideIcon> = {
  image: Image,
  audio: Mic,
  video: Video,
  application: FileText,
};

/** A file of the list in the form: one that the server has, one to be uploaded, or both. */
export interface Row {
  key: string;
  /** The option's id, where the server knows it. */
  id?: number;
  name: string;
  stored?: Pick<FileListItem, 'path' | 'mediaType' | 'mediaName' | 'mediaSize'>;
  file?: File;
}

export const rowsOf = (items: readonly FileListItem[]): Row[] =>
  items.map(({ id, name, ...stored }) => ({ key: String(id), id, name, stored }));

const typeOf = ({ file, stored }: Row) => file?.type ?? stored?.mediaType ?? '';
const sizeOf = ({ file, stored }: Row) => file?.size ?? stored?.mediaSize ?? null;
const fileNameOf = ({ file, stored }: Row) => file?.name ?? stored?.mediaName ?? null;

/** `preços.pdf` is called `preços`. */
const called = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, 255);

interface FileRowsProps {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  /** The row whose file is uploading, and the uploaded share. */
  uploading: { key: string; share: number } | null;
  busy: boolean;
  error: string | undefined;
}

/** The files of a list: added together, named, replaced and taken out one by one. */
export function FileRows({ rows, onChange, uploading, busy, error }: FileRowsProps) {
  const { t } = useTranslation(['fileLists', 'messages']);
  const picker = useRef<HTMLInputElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [replaced, setReplaced] = useState<string | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const made = useRef(0);

  const choose = (key: string | null) => {
    setReplaced(key);
    if (picker.current) {
      picker.current.multiple = key === null;
      picker.current.click();
    }
  };
  const take = (chosen: readonly File[]) => {
    const refused: string[] = [];
    const fit = chosen.filter((file) => {
      const refusal = refusalOf(file);
      if (refusal) refused.push(t(`messages:files.${refusal.reason}`, { ...refusal }));
      return !refusal;
    });
    if (replaced !== null) {
      const [file] = fit;
      if (file) onChange(rows.map((row) => (row.key === replaced ? { ...row, file } : row)));
    } else {
      const room = MAX_FILES - rows.length;
      if (fit.length > room) refused.push(t('messages:files.tooMany', { limit: MAX_FILES }));
      const added = fit.slice(0, room).map((file) => {
        made.current += 1;
        return { key: `new-${made.current}`, name: called(file), file };
      });
      onChange([...rows, ...added]);
    }
    setRefusals(refused);
  };

  return (
    <chakra.div>
      <chakra.div textStyle="sm" fontWeight="semibold" mb="1.5" id="file-rows">
        {t('files.label')}
      </chakra.div>
      {rows.length > 0 && (
        <chakra.ul
          aria-labelledby="file-rows"
          display="flex"
          flexDirection="column"
          gap="2"
          listStyleType="none"
          mb="2"
        >
          {rows.map((row, index) => {
            const Icon = ICONS[kindOfMime(typeOf(row))];
            const fileName = fileNameOf(row);
            const size = sizeOf(row);
            return (
              <chakra.li
                key={row.key}
                display="flex"
                alignItems="center"
                gap="3"
                ps="3"
                pe="1.5"
                py="2"
                borderWidth="1px"
                borderColor="border.strong"
                borderRadius="sm"
                position="relative"
                overflow="hidden"
              >
                <chakra.span display="flex" flexShrink="0" color="fg.muted">
                  <Icon size={20} aria-hidden />
                </chakra.span>
                <chakra.div flex="1" minW="0">
                  <TextInput
                    size="sm"
                    aria-label={t('files.name', { place: index + 1 })}
                    placeholder={t('files.namePlaceholder')}
                    maxLength={255}
                    value={row.name}
                    onChange={(event) =>
                      onChange(
                        rows.map((each) =>
                          each.key === row.key ? { ...each, name: event.target.value } : each,
                        ),
                      )
                    }
                  />
                  <chakra.div textStyle="xs" color="fg.muted" mt="1" truncate>
                    {fileName === null ? (
                      <chakra.span color="status.danger.fg">{t('files.missing')}</chakra.span>
                    ) : row.file || !row.stored?.path ? (
                      fileName
                    ) : (
                      <chakra.a
                        href={fileAddress(row.stored.path)}
                        target="_blank"
                        rel="noopener noreferrer"
                        css={{ [touch]: { display: 'block', py: '3.5' } }}
                        _hover={{ textDecoration: 'underline' }}
                      >
                        {fileName}
                      </chakra.a>
                    )}
                    {size !== null && ` · ${formatBytes(size)}`}
                  </chakra.div>
                </chakra.div>
                <Button
                  variant="ghost"
                  size="sm"
                  disabled={busy}
                  onClick={() => choose(row.key)}
                  aria-label={t(fileName === null ? 'files.attachOne' : 'files.replaceOne', {
                    name: row.name,
                  })}
                >
                  {t(fileName === null ? 'files.attach' : 'files.replace')}
                </Button>
                <IconButton
                  label={t('files.removeOne', { name: row.name })}
                  size="sm"
                  icon={<X size={16} />}
                  disabled={busy}
                  onClick={() => {
                    onChange(rows.filter(({ key }) => key !== row.key));
                    addButton.current?.focus();
                  }}
                />
                {uploading?.key === row.key && (
                  <chakra.span
                    role="progressbar"
                    aria-label={t('files.uploading', { name: row.name })}
                    aria-valuenow={Math.round(uploading.share * 100)}
                    position="absolute"
                    insetStart="0"
                    bottom="0"
                    h="2px"
                    bg="brand.solid"
                    transition="width"
                    transitionDuration="moderate"
                    style={{ width: `${uploading.share * 100}%` }}
                  />
                )}
              </chakra.li>
            );
          })}
        </chakra.ul>
      )}
      {rows.length < MAX_FILES && (
        <Button
          ref={addButton}
          variant="outline"
          icon={<Plus size={16} />}
          disabled={busy}
          onClick={() => choose(null)}
        >
          {t('files.add')}
        </Button>
      )}
      {[...refusals, ...(error ? [error] : [])].map((sentence) => (
        <chakra.p key={sentence} role="alert" textStyle="xs" color="status.danger.fg" mt="1.5">
          {sentence}
        </chakra.p>
      ))}
      <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
        {t('files.help', { limit: MAX_FILES })}
      </chakra.p>
      <chakra.input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={(event) => {
          take([...(event.target.files ?? [])]);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
    </chakra.div>
  );
}
