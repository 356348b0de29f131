import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { FolderOpen, Search } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { ErrorState } from '@/components/States';
import { ListEnd } from '@/components/ListEnd';
import { TextInput } from '@/components/TextInput';
import { fileListPagesQuery, useFileListEvents, type FileList } from '@/features/fileLists/api';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { useDebounced } from '@/lib/useDebounced';
import { target } from '@/theme/screens';
import type { StoredFile } from './composition';

const LIST_ID = 'file-lists';
const optionId = (id: number) => `file-list-${id}`;

/** The files of a list that can be sent: those whose upload ended. */
const sendable = ({ options }: FileList): StoredFile[] =>
  options.flatMap(({ id, path, mediaName, mediaType, mediaSize }) =>
    path
      ? [
          {
            fileListItemId: id,
            mediaPath: path,
            name: mediaName ?? '',
            mime: mediaType ?? '',
            size: mediaSize ?? 0,
          },
        ]
      : [],
  );

interface FileListPickerProps {
  /** Called when a list is chosen, with its text and its files. */
  onPick: (message: string, files: StoredFile[]) => void;
  inputElement: () => HTMLElement | null;
}

/** A picker of file lists beside the input; not rendered if the company has none. */
export default function FileListPicker({ onPick, inputElement }: FileListPickerProps) {
  const { t } = useTranslation('fileLists');
  const [open, setOpen] = useState(false);
  useFileListEvents();
  const any = useInfiniteQuery(fileListPagesQuery(''));
  if (!any.data?.rows.length) return null;
  return (
    <Popover
      label={t('picker.open')}
      trigger={<IconButton label={t('picker.open')} icon={<FolderOpen size={20} />} size="sm" />}
      placement="top-start"
      width="min(360px, calc(100vw - 32px))"
      open={open}
      onOpenChange={setOpen}
      finalFocus={inputElement}
    >
      <Choice
        onChoose={(chosen) => {
          setOpen(false);
          onPick(chosen.message, sendable(chosen));
        }}
      />
    </Popover>
  );
}

function Choice({ onChoose }: { onChoose: (chosen: FileList) => void }) {
  const { t } = useTranslation('fileLists');
  const [search, setSearch] = useState('');
  const [markedId, setMarkedId] = useState<number | null>(null);
  const found = useInfiniteQuery({
    ...fileListPagesQuery(useDebounced(search, SEARCH_DEBOUNCE_MS)),
    placeholderData: keepPreviousData,
  });
  const lists = found.data?.rows ?? [];
  const marked = lists.find(({ id }) => id === markedId) ?? lists[0];

  const move = (steps: number) => {
    const place = lists.findIndex(({ id }) => id === marked?.id);
    const next = lists[(place + steps + lists.length) % lists.length];
    if (!next) return;
    setMarkedId(next.id);
    document.getElementById(optionId(next.id))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') {
      if (marked) onChoose(marked);
    } else return;
    event.preventDefault();
  };

  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <TextInput
        autoFocus
        size="sm"
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded
        aria-label={t('picker.search')}
        placeholder={t('picker.search')}
        startIcon={<Search size={16} />}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={onKeyDown}
        aria-controls={LIST_ID}
        aria-activedescendant={marked ? optionId(marked.id) : undefined}
      />
      {found.isError && lists.length === 0 ? (
        <ErrorState
          error={found.error}
          title={t('picker.failed')}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <chakra.div maxH="min(280px, 40vh)" overflowY="auto">
          <chakra.div id={LIST_ID} role="listbox" aria-label={t('picker.open')}>
            {lists.map((each) => (
              <chakra.div
                key={each.id}
                id={optionId(each.id)}
                role="option"
                aria-selected={each.id === marked?.id}
                // The search keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setMarkedId(each.id)}
                onClick={() => onChoose(each)}
                display="flex"
                alignItems="center"
                justifyContent="space-between"
                gap="3"
                minH="9"
                css={target}
                px="3"
                py="1.5"
                borderRadius="sm"
                textStyle="sm"
                cursor="pointer"
                bg={each.id === marked?.id ? 'brand.subtle' : undefined}
              >
                <chakra.span minW="0" fontWeight="medium" truncate title={each.name}>
                  {each.name}
                </chakra.span>
                <chakra.span flexShrink="0" textStyle="xs" color="fg.muted">
                  {t('count', { count: each.options.length })}
                </chakra.span>
              </chakra.div>
            ))}
          </chakra.div>
          {found.isSuccess && lists.length === 0 && (
            <chakra.p px="3" py="2" textStyle="sm" color="fg.muted">
              {t('picker.noneFound', { text: search })}
            </chakra.p>
          )}
          <ListEnd pages={found} />
        </chakra.div>
      )}
    </chakra.div>
  );
}
