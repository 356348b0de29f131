import { chakra, Dialog as Chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import {
  createContext,
  Suspense,
  useContext,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { submitByKey } from '@/lib/submitByKey';
import { useToastsBelowDialog } from '@/lib/toastPlace';
import { useUnsaved } from '@/lib/unsaved';
import { Button, type ButtonProps } from './Button';
import { IconButton } from './IconButton';
import { Portal } from './Portal';
import { SkeletonFields } from './States';
import { useDialogFocus } from './useDialogFocus';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** 420, 560, 796 or 1168 px wide; full screen on narrow screens. */
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** The body takes the whole height without padding: its content scrolls by itself. */
  fill?: boolean;
  /** A dialog with little content: only as high as its content on narrow screens, too. */
  low?: boolean;
  /** There is unsaved input: closing the dialog asks first. */
  dirty?: boolean;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  children: ReactNode;
  /** Makes title, body and footer one form. */
  onSubmit?: (event: React.SyntheticEvent<HTMLFormElement>) => void;
  /** The element to focus first, if that is not the first field. */
  initialFocus?: () => HTMLElement | null;
}

const Close = createContext<() => void>(() => undefined);

/** Closes the dialog without saving; asks first if there is unsaved input. */
export function CancelButton({ children, ...props }: Omit<ButtonProps, 'onClick'>) {
  const { t } = useTranslation();
  const close = useContext(Close);
  return (
    <Button variant="outline" {...props} onClick={close}>
      {children ?? t('actions.cancel')}
    </Button>
  );
}

const FILLED = { display: 'flex', flexDirection: 'column', p: '0', overflow: 'hidden' } as const;

/**
 * A modal dialog: focuses its first field and returns the focus when it closes. Escape, the close
 * button and a click outside close it. With unsaved input, Escape and the close button ask first
 * and a click outside does nothing.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, size = 'md', dirty = false, footer, children, onSubmit } = props;
  const { fill = false, low = false } = props;
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { ref, ...focus } = useDialogFocus(open, props.initialFocus);
  const [, look] = useReducer((turn: number) => turn + 1, 0);
  useUnsaved(open && dirty);
  const close = () => (dirty ? setAsking(true) : onClose());
  const discard = () => {
    setAsking(false);
    onClose();
  };
  const parts = (
    <>
      <Head>
        <Chakra.Title>{title}</Chakra.Title>
        <IconButton label={t('actions.close')} icon={<X size={20} />} size="sm" onClick={close} />
      </Head>
      <Chakra.Body data-dialog-body {...(fill && FILLED)}>
        {/* Content whose texts or code still load hides neither the dialog nor the page. */}
        <Suspense fallback={<SkeletonFields {...(fill && { p: '6' })} />}>
          {children}
          <Arrival onArrive={look} />
        </Suspense>
      </Chakra.Body>
      {footer && <Chakra.Footer>{footer}</Chakra.Footer>}
    </>
  );
  return (
    <Close value={close}>
      <Chakra.Root
        open={open}
        onOpenChange={(details) => !details.open && close()}
        onEscapeKeyDown={(event) => {
          // A part of the dialog with its own Escape closes first.
          if (event.target instanceof Element && event.target.closest('[data-own-escape]'))
            event.preventDefault();
        }}
        closeOnInteractOutside={!dirty}
        // The previous dialog may still be returning the focus: the user did not leave this one.
        onFocusOutside={(event) => event.preventDefault()}
        {...focus}
        // Chakra's types name its own sizes; ours are in theme/recipes/overlays.ts.
        size={size}
        lazyMount
        unmountOnExit
      >
        <Portal>
          <Chakra.Backdrop />
          <Chakra.Positioner {...(low && { p: '4' })}>
            <Chakra.Content
              ref={ref}
              {...(fill && { h: { base: 'full', sm: '808px' } })}
              {...(low && { h: 'auto', borderRadius: 'lg' })}
            >
              {onSubmit ? (
                <chakra.form
                  display="flex"
                  flexDirection="column"
                  flex="1"
                  minH="0"
                  noValidate
                  onSubmit={onSubmit}
                  onKeyDown={submitByKey}
                >
                  {parts}
                </chakra.form>
              ) : (
                parts
              )}
            </Chakra.Content>
          </Chakra.Positioner>
        </Portal>
      </Chakra.Root>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={discard}
        title={t('dialog.discardTitle')}
        confirmLabel={t('actions.discard')}
        cancelLabel={t('actions.keepEditing')}
      >
        {t('dialog.discardText')}
      </ConfirmDialog>
    </Close>
  );
}

/** Renders the dialog once more when its content has loaded: its first field gets the focus. */
function Arrival({ onArrive }: { onArrive: () => void }) {
  useLayoutEffect(onArrive, [onArrive]);
  return null;
}

function Head({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useToastsBelowDialog(ref);
  return <Chakra.Header ref={ref}>{children}</Chakra.Header>;
}

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** A question that names the object: 'Excluir Maria Souza?' */
  title: ReactNode;
  children?: ReactNode;
  /** The verb: 'Excluir'. */
  confirmLabel: string;
  cancelLabel?: string;
  loading?: boolean;
  /** A harmless action: the button is not red. */
  calm?: boolean;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, onConfirm, title, children, confirmLabel, loading = false } = props;
  const { t } = useTranslation();
  const safe = useRef<HTMLButtonElement>(null);
  const { ref, ...focus } = useDialogFocus(open, () => safe.current);
  return (
    <Chakra.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      // The dialog below may still be returning the focus.
      onFocusOutside={(event) => event.preventDefault()}
      {...focus}
      role="alertdialog"
      size="sm"
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Chakra.Backdrop />
        <Chakra.Positioner p="4">
          <Chakra.Content ref={ref} h="auto" borderRadius="lg">
            <Chakra.Header>
              <Chakra.Title overflowWrap="anywhere">{title}</Chakra.Title>
            </Chakra.Header>
            {children && (
              <Chakra.Body color="fg.muted" textStyle="sm">
                {children}
              </Chakra.Body>
            )}
            <Chakra.Footer borderTopWidth="0">
              <Button ref={safe} variant="outline" onClick={onClose} disabled={loading}>
                {props.cancelLabel ?? t('actions.cancel')}
              </Button>
              <Button
                variant={props.calm ? 'solid' : 'danger'}
                onClick={onConfirm}
                loading={loading}
              >
                {confirmLabel}
              </Button>
            </Chakra.Footer>
          </Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
