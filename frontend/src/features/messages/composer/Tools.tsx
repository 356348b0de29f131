import { chakra } from '@chakra-ui/react';
import {
  Check,
  LayoutTemplate,
  Mic,
  Paperclip,
  SendHorizontal,
  Signature,
  SquareMousePointer,
  Zap,
} from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiButton } from '@/components/EmojiButton';
import { IconButton } from '@/components/IconButton';
import { Switch } from '@/components/Toggle';
import { formatCount } from '@/lib/format';
import type { StoredFile } from './composition';

const FileListPicker = lazy(() => import('./FileListPicker'));

interface ToolsProps {
  isEdit: boolean;
  canSend: boolean;
  /** The number of characters beyond the limit. */
  excess: number;
  canRecord: boolean;
  signing: boolean;
  onSigning: (signing: boolean) => void;
  onEmoji: (emoji: string) => void;
  onFiles: (files: File[]) => void;
  onQuick: () => void;
  onFileList: (message: string, files: StoredFile[]) => void;
  onTemplates: (() => void) | undefined;
  onMenu: (() => void) | undefined;
  onRecord: () => void;
  inputElement: () => HTMLElement | null;
}

/** The row under the input; on a narrow screen its tools scroll sideways. */
export function Tools(props: ToolsProps) {
  const { isEdit, canSend, excess, canRecord } = props;
  const { t } = useTranslation('messages');
  const picker = useRef<HTMLInputElement>(null);
  return (
    <chakra.div display="flex" alignItems="center" gap="1" px="2" pb="2">
      <chakra.div
        display="flex"
        alignItems="center"
        gap={{ base: '0', sm: '1' }}
        flex="1"
        minW="0"
        overflowX="auto"
        css={{
          scrollbarWidth: 'none',
          // An outline outside the button would be clipped.
          '& button:focus-visible': { outlineOffset: '-2px' },
        }}
      >
        <EmojiButton
          label={t('composer.emoji')}
          onPick={props.onEmoji}
          finalFocus={props.inputElement}
        />
        {!isEdit && (
          <>
            <IconButton
              label={t('composer.attach')}
              icon={<Paperclip size={20} />}
              size="sm"
              onClick={() => picker.current?.click()}
            />
            <chakra.input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-hidden
              tabIndex={-1}
              data-testid="file-input"
              onChange={(event) => {
                props.onFiles([...(event.target.files ?? [])]);
                // Allows choosing the same file again.
                event.target.value = '';
              }}
            />
            <IconButton
              label={t('quick.open')}
              icon={<Zap size={20} />}
              size="sm"
              // A press outside closes the list, and this button is outside: it must not count.
              onPointerDown={(event) => event.stopPropagation()}
              onClick={props.onQuick}
            />
            <Suspense fallback={null}>
              <FileListPicker onPick={props.onFileList} inputElement={props.inputElement} />
            </Suspense>
            {props.onTemplates && (
              <IconButton
                label={t('composer.templates')}
                icon={<LayoutTemplate size={20} />}
                size="sm"
                onClick={props.onTemplates}
              />
            )}
            {props.onMenu && (
              <IconButton
                label={t('composer.interactive')}
                icon={<SquareMousePointer size={20} />}
                size="sm"
                onClick={props.onMenu}
              />
            )}
          </>
        )}
      </chakra.div>
      {excess > 0 && (
        <chakra.span role="alert" textStyle="xs" color="status.danger.fg" textAlign="end">
          {t('composer.tooLong', { count: excess, number: formatCount(excess) })}
        </chakra.span>
      )}
      {!isEdit && (
        <chakra.span textStyle="sm" color="fg.muted" me={{ sm: '2' }}>
          <Switch
            checked={props.signing}
            onChange={props.onSigning}
            aria-label={t('composer.sign')}
            label={
              <>
                <chakra.span hideFrom="sm" display="flex">
                  <Signature size={20} aria-hidden />
                </chakra.span>
                <chakra.span hideBelow="sm">{t('composer.sign')}</chakra.span>
              </>
            }
            labelFirst
          />
        </chakra.span>
      )}
      {canRecord ? (
        <IconButton
          label={t('recorder.start')}
          icon={<Mic size={20} />}
          size="sm"
          bg="bg.subtle"
          color="fg.default"
          onClick={props.onRecord}
        />
      ) : (
        <IconButton
          type="submit"
          label={isEdit ? t('composer.saveEdit') : t('composer.send')}
          icon={isEdit ? <Check size={20} /> : <SendHorizontal size={20} />}
          variant={canSend ? 'solid' : 'ghost'}
          size="sm"
          disabled={!canSend}
        />
      )}
    </chakra.div>
  );
}
